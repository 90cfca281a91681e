"""The explorers' Python side: measure once, commit, and put on the page at build time.

`make explorer` simulates the algorithms on the paper's four instances and writes
`chapters/_data/explorer.json`. When the book is built, that file becomes a classic
script, which pages can load from file:// too, and a still picture for readers without
JavaScript.
"""

import html
import json
from pathlib import Path

import numpy as np
from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from tqdm import tqdm

from pmeanlib import bounds, figures, p_mean, published
from pmeanlib.engine import VERSION
from pmeanlib.instances import random_instance
from pmeanlib.lab.store import remember
from pmeanlib.welfare import measured_regret

RESULTS = Path(__file__).parents[1] / "_data" / "explorer.json"
N_RUNS = 4_000
MEASURED_AT = tuple(range(-10, 2))  # exponents with a stored estimate and its error
FINE, GROWTH = 500, 1.01  # single rounds at first, then blocks that grow with t
DIGITS = 1e4
TITLES = {"bernoulli": "Bernoulli", "beta": "Beta"}  # the others are no names
ALT = {
    "dial": "Three curves of expected reward against the round, and three of p-mean "
    "regret against p from minus 10 to 1, for UCB1, Explore-Then-UCB and NCB: the "
    "further left, the larger the regret of UCB1, whose first rounds are served badly.",
    "period": "Left, the paper's bound and Theorem U with the same exploration against "
    "the horizon, on logarithmic axes: the paper's falls more slowly. Right, the part "
    "of the horizon that the paper explores: it falls, too. Ten arms, p equal minus 1.",
}


def edges(T: int) -> np.ndarray:
    """Where blocks of rounds begin, and T: 0, 1, ..., FINE, then 1 % longer each."""
    ends = list(range(min(FINE, T) + 1))
    while ends[-1] < T:
        ends.append(min(T, int(ends[-1] * GROWTH)))
    return np.array(ends)


def in_blocks(values: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The mean of the values over each block."""
    return np.add.reduceat(values, ends[:-1]) / np.diff(ends)


def measure() -> None:
    """Simulate every series of the dial and write the results to be committed.

    Finished series are kept on disk, so that an interrupted run resumes.
    """
    cases = [(name, p) for name in published.ALGORITHMS
             for p in (published.EXPONENTS if name == "EUCB" else (1.0,))]  # fmt: skip
    frames, bar = [], tqdm(total=len(cases) * len(published.HORIZON), unit="series")
    for family, T in published.HORIZON.items():
        instance = random_instance(
            family, published.K, np.random.default_rng(published.SEED)
        )
        frame = {"family": family, "T": T, "mu_star": round(instance.mu_star, 12)}
        frame["series"] = []
        for name, p in cases:
            key = {"explorer": [VERSION, family, name, p, N_RUNS, FINE, GROWTH]}
            series = remember(key, lambda case=(family, name, p): _series(*case))
            frame["series"].append(series)
            bar.update()
        frames.append(frame)
    bar.close()
    result = {"n_runs": N_RUNS, "exponents": MEASURED_AT, "frames": frames}
    RESULTS.parent.mkdir(exist_ok=True)
    text = json.dumps(result, separators=(",", ":"))
    RESULTS.write_text(text.replace('{"key', '\n{"key') + "\n", "utf8")


def _series(family: str, name: str, p: float) -> dict:
    """One algorithm on one instance: rounds in blocks, regret at MEASURED_AT."""
    policy, profile = published.by_definition(family, name, p, N_RUNS)
    means = in_blocks(profile.mu_t, edges(profile.mu_t.size))
    estimates = [measured_regret(profile, q) for q in MEASURED_AT]
    return {
        "key": f"{name} {p:g}" if name == "EUCB" else name,
        "name": name,
        "T_tilde": policy.T_tilde,
        "capped": policy.capped,
        "regrets": [round(e.value, 6) for e in estimates],
        "errors": [float(f"{e.standard_error:.2g}") for e in estimates],
        "values": np.rint(DIGITS * means).astype(int).tolist(),
    }


def results() -> dict:
    """The committed results, with the blocks of rounds written out."""
    data = json.loads(RESULTS.read_text("utf8"))
    for frame in data["frames"]:
        frame["edges"] = edges(frame["T"]).tolist()
        frame["title"] = TITLES.get(frame["family"], frame["family"])
    own = {"T": 20_000, "edges": edges(20_000).tolist()}
    return data | {"own": own, "tunings": published.EXPONENTS}


def write_assets(static: Path) -> None:
    """The data as a script, and a still picture of each explorer."""
    data = results()
    text = json.dumps(data, separators=(",", ":"))
    (static / "explorer-data.js").write_text(f"window.PMEAN_DATA={text};\n", "utf8")
    figures.use_style()
    for name, draw in (("dial", _draw_dial), ("period", _draw_period)):
        axes = figures.new_axes(2, height=3.2)
        draw(*axes, data)
        axes[0].figure.savefig(static / f"explorer-{name}.png", dpi=160)
        figures.plt.close(axes[0].figure)
    _draw_card(static / "card.png", data)


def _draw_dial(left, right, data) -> None:
    frame = data["frames"][0]
    ends = np.array(frame["edges"])
    for series in frame["series"]:
        if series["key"] in ("UCB1", "EUCB -1", "NCB"):
            values = np.array(series["values"]) / DIGITS
            colour = figures.COLOUR[series["name"]]
            middle = np.sqrt((ends[:-1] + 1) * ends[1:])
            left.plot(middle, values, color=colour, linewidth=1)
            _draw_regret(right, frame, values, color=colour, label=series["name"])
    right.legend()
    figures.finish(left, "round t", "expected reward", xscale="log")
    figures.finish(right, "exponent p", "p-mean regret")


def _draw_regret(ax, frame, values, **style) -> None:
    p_grid, weights = np.linspace(-10, 1, 89), np.diff(frame["edges"])
    welfare = [p_mean(values, p, weights=weights) for p in p_grid]
    ax.plot(p_grid, frame["mu_star"] - np.array(welfare), **style)


def _draw_card(path: Path, data) -> None:
    """The picture of social previews, 1200 x 630: the title over the regrets."""
    paper, frame = "#17324a", data["frames"][0]
    figure, ax = figures.plt.subplots(figsize=(12, 6.3), facecolor=paper)
    figure.set_layout_engine("none")
    ax.set(position=(0.07, 0.1, 0.86, 0.5), facecolor=paper)
    for key, colour in (
        ("UCB1", "#5fb4ee"),
        ("EUCB -2", "#ff9a3c"),
        ("NCB", "#3fd3a5"),
    ):
        series = next(s for s in frame["series"] if s["key"] == key)
        values = np.array(series["values"]) / DIGITS
        _draw_regret(ax, frame, values, color=colour, linewidth=6)
    ax.axis("off")
    words = {"color": "white", "family": "DejaVu Sans"}
    figure.text(0.07, 0.8, "p-Mean Regret for Stochastic Bandits", fontsize=40, **words)
    figure.text(
        0.07, 0.7, "Who pays for learning? An executable book", fontsize=26, **words
    )
    figure.savefig(path, dpi=100, facecolor=paper)
    figures.plt.close(figure)


def _draw_period(left, right, data) -> None:
    T_grid = np.geomspace(100, 1e30, 300)
    ask = (10, -1, 0.9)
    for name, colour, bound in (
        ("paper", figures.BLUE, lambda T: bounds.paper(T, *ask, 0.1)),
        ("repaired", figures.ORANGE, lambda T: bounds.repaired(T, *ask)),
    ):
        left.plot(T_grid, [_or_nan(bound, T) for T in T_grid], color=colour, label=name)
    left.legend()
    share = [bounds.period(T, 10, -1) / T for T in T_grid]
    right.plot(T_grid, share, color=figures.BLUE)
    both = {"xscale": "log", "yscale": "log"}
    figures.finish(left, "horizon T", "bound, k = 10, p = -1", **both)
    figures.finish(right, "horizon T", "exploration / horizon", **both)


def _or_nan(bound, T: float) -> float:
    try:
        return bound(T)
    except ValueError:
        return np.nan


class Explorer(SphinxDirective):
    """``:::{explorer} dial``, with settings to begin with; its text is the caption."""

    required_arguments = 1
    has_content = True
    option_spec = dict.fromkeys(("name", "p", "instance", "tuning", "k", "logt"), str)

    def run(self) -> list[nodes.Node]:
        kind = self.arguments[0]
        if kind not in ALT:
            raise self.error(f"explorer must be one of {sorted(ALT)}, got {kind!r}")
        data = {k: v for k, v in self.options.items() if k != "name"}
        settings = "".join(f' data-{k}="{html.escape(v)}"' for k, v in data.items())
        root = "../" * self.env.docname.count("/")
        still = f'<img src="{root}_static/explorer-{kind}.png" alt="{ALT[kind]}">'
        box = nodes.container(classes=["explorer-box"], ids=[self.options["name"]])
        box += nodes.raw(
            "",
            f'<div class="explorer" data-explorer="{kind}"{settings}>'
            f"<noscript>{still}</noscript></div>",
            format="html",
        )
        caption = nodes.container(classes=["explorer-caption"])
        self.state.nested_parse(self.content, self.content_offset, caption)
        box += caption
        return [box]


def add_scripts(app, pagename, templatename, context, doctree) -> None:
    """Load the explorers' scripts on pages that have one, after the page is painted."""
    boxes = doctree.findall(nodes.container) if doctree else ()
    if any("explorer-box" in box["classes"] for box in boxes):
        for script in ("explorer-data.js", "explorer.js"):
            app.add_js_file(script, loading_method="defer")


def prepare(app) -> None:
    if app.builder.name == "html":
        static = Path(app.outdir) / "_static"
        static.mkdir(parents=True, exist_ok=True)
        write_assets(static)


def setup(app):
    app.add_directive("explorer", Explorer)
    app.connect("html-page-context", add_scripts)
    app.connect("builder-inited", prepare)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    measure()
