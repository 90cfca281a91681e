"""Workers stream what they simulate, and their numbers are the library's."""

import numpy as np
import pytest

import pmeanlib as pm
from bookkit.sphinx import explorer_modules
from bookkit.sphinx.bundle import bundle

ENTRY = """
import * as measured from "./engine/measured.js";
import * as workers from "./engine/workers.js";
Object.assign(globalThis, { measured, workers });
"""


def test_results_stream_and_an_older_job_is_dropped(browser):
    """A long job, and before it ends a short one: nothing more of the long one."""
    long = {"family": "bernoulli", "means": [0.2, 0.8, 0.5], "policy": "ucb1"}
    long |= {"seed": 2, "T": 100_000, "n_runs": 100_000}
    short = long | {"T": 2_000, "n_runs": 320, "policy": "eucb", "p": -1}
    page = browser.new_page()  # empty: it needs nothing of the book's pages
    page.set_default_timeout(60_000)
    page.goto("about:blank")
    modules = {**explorer_modules.modules(), "test.js": ENTRY}
    page.add_script_tag(content=bundle("test.js", modules))
    heard = page.evaluate(
        """async ([long, short]) => {
            const heard = [];
            let go = null;
            const lab = workers.openWorkers(m => { heard.push(m); if (go) go(m); });
            const until = test => new Promise(
                resolve => { go = m => { if (test(m)) resolve(m); }; });
            const old = lab.start([long, long]);
            await until(m => m.i === 1 && m.runs > 1);
            const before = heard.length;
            lab.exact(0, 1);
            lab.start([short, {...short, policy: "own", formula: "log(-pulls)"}]);
            const last = await until(m => m.i === 0 && m.done), exact = [];
            for (const p of [1, -1]) {
                lab.exact(0, p);
                exact.push((await until(m => m.exact && m.exact.p === p)).exact);
            }
            lab.start([]);
            return {old, before, exact, first: [heard[0].job, heard[0].done],
                others: heard.slice(before).map(m => [m.job, m.i, m.runs, m.error]),
                values: [...last.values], edges: [...last.edges],
                pulls: [...last.pulls],
                blocks: measured.regrets(last.profile, [1, -1])};
        }""",
        [long, short],
    )
    page.close()
    assert heard["first"] == [heard["old"], False]
    assert {row[0] for row in heard["others"]} == {heard["old"] + 1}
    assert "got nan" in next(row[3] for row in heard["others"] if row[1] == 1)
    assert [row[2] for row in heard["others"] if row[1] == 0 and row[2]][-1] == 320
    instance = pm.bernoulli(short["means"])
    policy = pm.explore_then_ucb(2_000, instance.k, -1)
    profile = pm.simulate(instance, policy, 2_000, 320, 2)
    assert heard["pulls"] == profile.pulls.tolist()
    edges = heard["edges"]
    blocks = np.add.reduceat(profile.mu_t, edges[:-1]) / np.diff(edges)
    np.testing.assert_allclose(heard["values"], blocks, rtol=1e-12)
    for e, exact, block in zip(pm.measured_regrets(profile, [1, -1]), heard["exact"],
                               heard["blocks"], strict=True):  # fmt: skip
        assert exact["value"] == pytest.approx(e.value, rel=1e-10)
        assert exact["standard_error"] == pytest.approx(e.standard_error, rel=1e-9)
        assert abs(block["value"] - e.value) < e.standard_error
        assert block["trusted"] == e.trusted
