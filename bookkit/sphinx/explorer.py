"""Sphinx extension of the book: the explorers, pictures that the reader can turn.

The directive puts the box of an explorer on a page, and the page then loads the script
of that kind, bundled from the modules in `web/explorers` and `web/engine`. The build
writes two of these modules: `constants.js`, on which Python and JavaScript must agree,
and `data.js`, the measured results in `chapters/_data/explorer.json` (`make explorer`
writes them). Readers without JavaScript are told what an explorer shows.
"""

import html
import json
import math
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

import pmeanlib as pm
from bookkit.sphinx.bundle import bundle
from pmeanlib import welfare

RESULTS = Path(__file__).parents[2] / "chapters" / "_data" / "explorer.json"
FINE, GROWTH = 500, 1.01  # single rounds at first, then blocks that grow with t
DIGITS = 1e4  # rewards are stored as whole numbers of 1 / DIGITS
EXPONENTS = (-10, 1)  # the least and the greatest p to choose
HORIZONS = (1e2, 1e30)  # of the bounds
SHOWN = ("UCB1", "EUCB", "NCB")  # in the dial, in this order
TUNED = "EUCB"  # the algorithm whose exploration depends on p
TITLES = {"bernoulli": "Bernoulli", "beta": "Beta"}  # the others are no names
PROGRAMMES = {"uneven": (10, 10, 10, 2), "even": (7, 7, 7, 7)}  # of chapter `welfare`
PEOPLE = {  # whose bars can be dragged: what they get, and how it is called
    "households": {
        "one": "household",
        "many": "households",
        "values": PROGRAMMES["uneven"],
        "outcomes": (0.1, 12),
        "step": 0.1,
        "digits": 1,
        "tick": 2,
        "unit": "kWh a day",
        "short": "kWh",
        "weight": "attention",
    },
    "queue": {  # the first five people of the first figure, served in fixed order
        "one": "person",
        "many": "people",
        "values": (0.03, 0.2, 0.35, 0.5, 0.9),
        "outcomes": (0.01, 1),
        "step": 0.01,
        "digits": 2,
        "tick": 0.2,
        "unit": "expected reward",
        "short": "",
        "weight": "weight",
    },
}
SLOTS = (1, 2, 3, 4)  # policies side by side in the laboratory
MOST_ARMS, LAB_T, LAB_ARMS = 20, 10_000, 10
LABORATORY, BENCH = "laboratory", "bench"  # its page, and the box on it
INDEX = "mu_hat + sqrt(log_T / pulls)"  # the reader's own, at first
EMPTY = {  # a place for a policy; an exploration of -1 rounds has the policy's length
    "policy": "none",
    "width": pm.ucb1().width,
    "tuned": "-2",
    "tilde": -1,
    "order": "fixed",
}


def slots(*policies: dict) -> dict[str, object]:
    """Policies as the laboratory's address has them; the other places are empty."""
    given = [*policies, *({},) * len(SLOTS)]
    return {
        f"{name}{n}": value
        for n, own in zip(SLOTS, given, strict=False)
        for name, value in (EMPTY | {"index": INDEX} | own).items()
    }


START = {  # what an explorer shows at first, unless the page says otherwise
    "dial": {"p": -1, "instance": "beta", "tuning": "follow", "people": ""},
    "period": {"p": -1, "k": 10, "logt": 6, "star": 0.9, "least": 0.1, "explore": 0.5},
    "households": {"p": 1},
    "laboratory": {
        "p": -3,
        "family": "bernoulli",
        "arms": " ".join(map(str, PEOPLE["queue"]["values"])),
        "horizon": LAB_T,
        "runs": 200,
        "seed": 1,
        **slots(
            {"policy": "ucb1"}, {"policy": "eucb"}, {"policy": "ncb"}, {"policy": "own"}
        ),
        "shown": "1",
        "run": 1,
        "round": 60,
    },
}
WORDS = {  # for readers without JavaScript
    "dial": "Three curves of expected reward against the round, and three of p-mean "
    "regret against p from minus 10 to 1, for UCB1, Explore-Then-UCB and NCB: the "
    "further left, the larger the regret of UCB1, whose first rounds are served badly.",
    "period": "Left, the paper's bound and Theorem U with the same exploration against "
    "the horizon, on logarithmic axes: the paper's falls more slowly. Right, the part "
    "of the horizon that the paper explores: it falls, too. Ten arms, p equal minus 1.",
    "households": "Four bars, what four households get: 10, 10, 10 and 2. At p equal 1 "
    "the level of the p-mean is 8 and every household has a quarter of the attention. "
    "At p equal minus 1 the level has sunk to 5, and the fourth household has 89 per "
    "cent of the attention.",
    "laboratory": "Expected reward of each round, and p-mean regret against p, for "
    "UCB1, Explore-Then-UCB and NCB on five Bernoulli arms: UCB1 serves its first "
    "rounds badly and regrets most at very negative p, NCB explores most of the time.",
}
STYLE = "explorer.css"


# -- what is stored, and what the scripts are told ---------------------------------


def edges(T: int) -> np.ndarray:
    """Where blocks of rounds begin, and T: 0, 1, ..., FINE, then 1 % longer each."""
    ends = list(range(min(FINE, T) + 1))
    while ends[-1] < T:
        ends.append(min(T, int(ends[-1] * GROWTH)))
    return np.array(ends)


def series_key(name: str, p: float) -> str:
    """What a series is called: its algorithm, and the p for which that is tuned."""
    return f"{name} {p:g}" if name == TUNED else name


def results() -> dict:
    """The committed results, and everything else that the dial has to know."""
    data = json.loads(RESULTS.read_text("utf8"))
    for frame in data["frames"]:
        frame["edges"] = edges(frame["T"]).tolist()
        frame["title"] = TITLES.get(frame["family"], frame["family"])
    return data | {
        "digits": DIGITS,
        "algorithms": [
            {"name": name, "kind": name.lower(), "tuned": name == TUNED}
            for name in SHOWN
        ],
        "tunings": [
            {"p": p, "key": series_key(TUNED, p)} for p in pm.published.EXPONENTS
        ],
    }


def constants() -> dict:
    """Numbers on which Python and the scripts of every explorer must agree."""
    return {
        "exponents": EXPONENTS,
        "horizons": HORIZONS,
        "start": START,
        "people": PEOPLE,
        "programmes": PROGRAMMES,
        "laboratory": {
            "instances": instances(),
            "tunings": pm.published.EXPONENTS,
            "most": MOST_ARMS,
            "slots": SLOTS,
            "empty": EMPTY,
        },
        "blocks": {"fine": FINE, "growth": GROWTH},
        "library": library(),
    }


def library() -> dict[str, object]:
    """What the engine in the browser takes from the library: names and numbers."""
    T, k, many = 100, 2, 1_000  # any horizon and arms; more runs than groups
    profile = pm.simulate(pm.bernoulli([1] * k), pm.ucb1(), T, many, rng=0)
    policies = {
        "ucb1": pm.ucb1(),
        "eucb": pm.explore_then_ucb(T, k, 1),
        "ncb": pm.ncb(T, k),
    }
    return {
        "width": pm.ucb1().width,
        "deviation": pm.bounds.DEVIATION,
        "groups": profile.group_sizes.size,
        "doubt": welfare.DOUBT,
        "same_as_zero": welfare.SAME_AS_ZERO,
        "policies": {
            key: {"name": policy.name, "index": policy.index.function.__name__}
            for key, policy in policies.items()
        },
    }


def instances() -> dict[str, dict]:
    """The bandits that the laboratory offers, as parts of its state.

    Those of chapter `rates` have the best arm last; of the paper's there are the first
    ten of fifty arms, with their means in three digits.
    """
    best, others, T = 0.9, LAB_ARMS - 1, LAB_T
    gap = 2 * math.sqrt(LAB_ARMS * math.log(T) / T)
    paper = {
        family: pm.random_instance(
            family, pm.published.K, np.random.default_rng(pm.published.SEED)
        ).mu[:LAB_ARMS]
        for family in ("bernoulli", "uniform")
    }
    made = {
        "queue": ("five people's arms", PEOPLE["queue"]["values"]),
        "two": ("two arms", (0.2, 0.8)),
        "easy": ("easy: nine at 0.3, one at 0.9", [0.3] * others + [best]),
        "poor": ("poor: nine at 0.01, one at 0.9", [T**-0.5] * others + [best]),
        "close": ("close: nine just below 0.9", [best - gap] * others + [best]),
        "killer": ("UCB1's ruin: 1 and next to 0", [1, 1e-6]),
        "bernoulli": ("the paper's Bernoulli means, ten", paper["bernoulli"].round(3)),
        "uniform": ("the paper's uniform means, ten", paper["uniform"].round(3)),
    }
    return {
        key: {
            "title": title,
            "at": {
                "arms": " ".join(
                    f"{mean:.6f}".rstrip("0").rstrip(".") for mean in means
                ),
                "family": "uniform" if key == "uniform" else "bernoulli",
                "horizon": T,
            },
        }
        for key, (title, means) in made.items()
    }


def shown_in(chapter: str) -> dict[str, object]:
    """What the laboratory shows for the point of a chapter: a part of its state."""

    ucb1, eucb, ncb = ({"policy": name} for name in ("ucb1", "eucb", "ncb"))
    shuffled, made = ucb1 | {"order": "random"}, instances()
    enough = math.ceil(pm.bounds.least_exploration(LAB_T * 10, 2, 0.8) / 100) * 100
    more: dict = {"good_event": {"round": 486}, "unified": {"horizon": 100_000}}
    own = {"policy": "own", "index": "mu_hat + sqrt(log_T / pulls)"}
    moss = own | {"index": "mu_hat + sqrt(max(0, log_T - log(k * pulls)) / pulls)"}
    arms, p, policies = {
        "reduction": ("poor", -2, (ucb1, eucb)),
        "optimism": ("easy", 1, (ucb1, ucb1 | {"width": 1})),
        "algorithm": ("queue", -6, (ucb1, eucb)),
        "good_event": ("easy", -1, (eucb, eucb | {"tilde": 100})),
        "unified": ("two", -1, (eucb | {"tilde": enough}, eucb | {"tuned": "-1"})),
        "positive_p": ("easy", 0.5, (eucb | {"tuned": "0.5"}, eucb | {"tilde": 500})),
        "nash": ("easy", 0, (ncb, ncb | {"tilde": 100}, eucb | {"tilde": 100})),
        "negative_p": ("queue", -3, (ucb1, shuffled, eucb)),
        "limits": ("killer", -1, (ucb1, shuffled, eucb)),
        "learners": ("easy", -1, (ucb1, moss, own | {"index": "mu_hat"})),
        "regret": ("queue", -3, (ucb1, shuffled)),
        "own": ("queue", -1, (ucb1, {}, {}, own)),
        "narrow": ("poor", -1, (ucb1, ucb1 | {"width": 1}, shuffled | {"width": 1})),
    }[chapter]
    return made[arms]["at"] | {"p": p} | slots(*policies) | more.get(chapter, {})


def address(chapter: str) -> str:
    """The part behind `#` with which the laboratory shows that."""
    start = START[LABORATORY]
    state = {k: v for k, v in shown_in(chapter).items() if v != start[k]}
    return f"{BENCH}?{urlencode(state)}"


def modules() -> dict[str, str]:
    """The modules that the build writes, by their paths in `bookkit/web`."""
    return {"constants.js": _module(constants()), "data.js": _module(results())}


def _module(values: dict) -> str:
    return "".join(
        f"export const {name} = {json.dumps(value, separators=(',', ':'))};\n"
        for name, value in values.items()
    )


def script(kind: str) -> str:
    """The name of the script that a page with such an explorer loads."""
    return f"explorer-{kind}.js"


def write_assets(static: Path) -> None:
    """A script for each kind of explorer, and the social preview's picture."""
    generated = modules()
    for kind in START:
        text = bundle(f"explorers/{kind}.js", generated)
        (static / script(kind)).write_text(text, "utf8")
    pm.figures.use_style()
    _draw_card(static / "card.png", results())


def _draw_card(path: Path, data) -> None:
    """The picture of social previews, 1200 x 630: the title over the regrets."""
    paper, frame = "#17324a", data["frames"][0]
    p_grid = np.linspace(*EXPONENTS, 89)
    figure, ax = pm.figures.plt.subplots(figsize=(12, 6.3), facecolor=paper)
    figure.set_layout_engine("none")
    ax.set(position=(0.07, 0.1, 0.86, 0.5), facecolor=paper)
    for key, colour in (
        ("UCB1", "#5fb4ee"),
        ("EUCB -2", "#ff9a3c"),
        ("NCB", "#3fd3a5"),
    ):
        series = next(s for s in frame["series"] if s["key"] == key)
        values, weights = np.array(series["values"]) / DIGITS, np.diff(frame["edges"])
        welfare = np.array([pm.p_mean(values, p, weights=weights) for p in p_grid])
        ax.plot(p_grid, frame["mu_star"] - welfare, color=colour, linewidth=6)
    ax.axis("off")
    words = {"color": "white", "family": "DejaVu Sans"}
    figure.text(0.07, 0.8, "p-Mean Regret for Stochastic Bandits", fontsize=40, **words)
    figure.text(
        0.07, 0.7, "Who pays for learning? An executable book", fontsize=26, **words
    )
    figure.savefig(path, dpi=100, facecolor=paper)
    pm.figures.plt.close(figure)


# -- the box on the page, and the scripts of the page ------------------------------


class Explorer(SphinxDirective):
    """``:::{explorer} dial``, with settings to begin with; its text is the caption."""

    required_arguments = 1
    has_content = True
    option_spec = dict.fromkeys(("name", *(k for s in START.values() for k in s)), str)

    def run(self) -> list[nodes.Node]:
        kind = self.arguments[0]
        if kind not in START:
            raise self.error(f"explorer must be one of {sorted(START)}, got {kind!r}")
        data = {k: v for k, v in self.options.items() if k != "name"}
        settings = "".join(f' data-{k}="{html.escape(v)}"' for k, v in data.items())
        box = nodes.container(classes=["explorer-box"], ids=[self.options["name"]])
        box["explorer"] = kind
        box += nodes.raw(
            "",
            f'<div class="explorer" data-explorer="{kind}"{settings}>'
            f"<noscript><p>{WORDS[kind]}</p></noscript></div>",
            format="html",
        )
        caption = nodes.container(classes=["explorer-caption"])
        self.state.nested_parse(self.content, self.content_offset, caption)
        box += caption
        return [box]


class Lab(SphinxRole):
    """``{lab}`words <reduction>```: a link to the laboratory that shows its point."""

    def run(self):
        words, _, chapter = self.text.rpartition("<")
        words, chapter = words.strip(), chapter.removesuffix(">")
        try:
            tail = address(chapter)
        except KeyError:
            message = f"the laboratory shows nothing for {chapter!r}"
            return [], [self.inliner.reporter.error(message, line=self.lineno)]
        target = f"{LABORATORY}.html#{tail}"
        return [nodes.reference("", words, refuri=target, internal=True)], []


def add_assets(app, pagename, templatename, context, doctree) -> None:
    """Load the scripts of the explorers on this page, and their style."""
    boxes = doctree.findall(nodes.container) if doctree else ()
    kinds = dict.fromkeys(box["explorer"] for box in boxes if "explorer" in box)
    for kind in kinds:
        app.add_js_file(script(kind), loading_method="defer")
    if kinds:
        app.add_css_file(STYLE)


def prepare(app) -> None:
    if app.builder.name == "html":
        static = Path(app.outdir) / "_static"
        static.mkdir(parents=True, exist_ok=True)
        write_assets(static)


def setup(app):
    app.add_directive("explorer", Explorer)
    app.add_role("lab", Lab())
    app.connect("html-page-context", add_assets)
    app.connect("builder-inited", prepare)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
