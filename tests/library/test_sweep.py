"""One table whatever computes it: threads, processes, a cluster, after any death."""

import io
import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from tqdm import tqdm

import pmeanlib as pm

module = import_module("pmeanlib.sweep")  # `pm.sweep` is the function in it
SLOWNESS = 0.5


@pm.index
def optimist(mu_hat, pulls, log_T):
    return mu_hat + SLOWNESS * np.sqrt(log_T / pulls)


def settings(T=3000, n_runs=12):
    """Every family, policies of ours and of the reader's own, two equal pieces."""
    rng, found = np.random.default_rng(1), []
    for family in ("bernoulli", "beta", "triangular", "uniform"):
        instance = pm.random_instance(family, 5, rng)
        for policy in (
            pm.ucb1(order="random"),
            pm.explore_then_ucb(T, 5, -2),
            pm.Policy("optimist", optimist),
        ):
            found.append(
                pm.Setting(instance, policy, T, n_runs, 7, (1, 0, -1), {"at": family})
            )
    again = found[0]
    return [*found, pm.Setting(again.instance, again.policy, T, n_runs, 7, (1, 0, -1))]


def assert_same(a, b):
    pd.testing.assert_frame_equal(a, b, check_exact=True)
    assert a.to_csv() == b.to_csv()


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return pm.sweep(settings(), workers=1, store=tmp_path_factory.mktemp("kept"))


@pytest.fixture
def computed(monkeypatch):
    """The horizons and runs of the pieces that are simulated in this process."""
    calls, real = [], module.simulate
    monkeypatch.setattr(
        module, "simulate", lambda *a, **b: calls.append(a[2:4]) or real(*a, **b)
    )
    return calls


# -- what is in the table -----------------------------------------------------------


def test_a_row_is_what_simulate_and_measured_regret_say(expected):
    rows = expected.itertuples()
    for s in settings():
        profile = pm.simulate(s.instance, s.policy, s.T, s.n_runs, s.rng)
        for p in s.exponents:
            row, estimate = next(rows), pm.measured_regret(profile, p)
            assert (row.regret, row.standard_error, row.regret_plug_in) == (
                estimate.value, estimate.standard_error, estimate.plug_in,
            )  # fmt: skip
            assert (row.p, row.T, row.k, row.seed, row.n_runs) == (p, 3000, 5, 7, 12)
            assert (row.policy, row.order) == (s.policy.name, s.policy.order)
            assert (row.T_tilde, row.width) == (s.policy.T_tilde, s.policy.width)
            assert row.mu_star == s.instance.mu_star
            assert (row.trusted, row.runs_needed) == (
                estimate.trusted, estimate.runs_needed,
            )  # fmt: skip
            assert (row.pmeanlib, row.numpy) == (pm.__version__, np.__version__)
    assert next(rows, None) is None
    assert tuple(expected.columns) == ("at", *module.COLUMNS)
    assert expected["at"].isna().sum() == 3


def test_equal_settings_are_computed_once(expected, computed, tmp_path):
    assert_same(expected, pm.sweep(settings(), store=tmp_path))
    assert len(computed) == len(settings()) - 1 == len(list(tmp_path.iterdir()))
    assert_same(expected, pm.sweep(settings(), store=tmp_path))
    assert len(computed) == len(settings()) - 1


def test_labels_decide_nothing_and_whole_numbers_stay_whole(tmp_path):
    s = settings()[0]
    labelled = [
        pm.Setting(s.instance, s.policy, 50, 3, 1, (0,), label)
        for label in ({"batch": 3}, {"who": "me"})
    ]
    table = pm.sweep(labelled, store=tmp_path)
    assert table["batch"].tolist() == [3, None]
    assert table["who"].tolist() == [None, "me"]
    assert table.to_csv(index=False).splitlines()[1].startswith("3,,UCB1,")
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"T": 0}, "T must be a whole number of at least 1, got 0"),
        ({"n_runs": 1}, "n_runs must be a whole number of at least 2, got 1"),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        ({"exponents": ()}, "exponents must hold at least one p, got none"),
        ({"exponents": (float("nan"),)}, "p must be a number of at most 1, got nan"),
        ({"exponents": -1}, "exponents must be a list of numbers, got -1"),
        ({"exponents": {1: 2}}, "exponents must be a list of numbers, got {1: 2}"),
        ({"instance": pm.bernoulli([0, 0])}, "mu_star must be .* 1e-300, got 0.0"),
        ({"labels": {"T": 1}}, "labels must not be named as a column, got 'T'"),
        ({"policy": pm.ncb(100, 5)}, "T must be at least the policy's T_tilde = 100"),
    ],
)
def test_bad_settings_are_named(change, message):
    good = {"instance": pm.bernoulli([0.4, 0.6]), "policy": pm.ucb1(), "T": 10,
            "n_runs": 3, "seed": 1, "exponents": (0,)}  # fmt: skip
    with pytest.raises(ValueError, match=message):
        pm.Setting(**(good | change))


def test_no_settings_give_the_columns_and_no_row(tmp_path):
    table = pm.sweep([], store=tmp_path)
    assert tuple(table.columns) == module.COLUMNS
    assert table.empty
    assert not list(tmp_path.iterdir())


def test_bad_workers_are_named(tmp_path):
    with pytest.raises(ValueError, match="workers must be a whole number"):
        pm.sweep(settings(), workers=0, store=tmp_path)


def test_a_store_is_named_by_a_path_or_by_words(tmp_path):
    work = settings(T=50, n_runs=3)[:1]
    table = pm.sweep(work, store=str(tmp_path / "kept"))
    assert len(list((tmp_path / "kept").iterdir())) == 1
    assert_same(table, pm.sweep(work, store=tmp_path / "kept"))
    for bad in (3, b"kept", [tmp_path], ""):
        with pytest.raises(ValueError, match="store must be the path of a folder, got"):
            pm.sweep(work, store=bad)


# -- who computes it ----------------------------------------------------------------


@pytest.mark.parametrize("workers", [2, 5])
def test_in_threads(expected, tmp_path, workers):
    assert_same(expected, pm.sweep(settings(), workers=workers, store=tmp_path))


def test_long_pieces_one_at_a_time(expected, computed, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MEMORY", 10**6)  # two threads inside each
    assert_same(expected, pm.sweep(settings(), workers=2, store=tmp_path))
    assert len(computed) == len(settings()) - 1


def test_in_processes(expected, computed, tmp_path):
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert_same(expected, pm.sweep(settings(), store=tmp_path))
    assert computed == []  # not here


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, processes=True, threads_per_worker=1, protocol="tcp",
            host="127.0.0.1", dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        yield client


def test_on_a_cluster_that_loses_a_worker(cluster, tmp_path, monkeypatch):
    """Killed when one piece is kept, while it has others to compute."""
    work = settings(T=30_000, n_runs=20)
    expected = pm.sweep(work, store=tmp_path / "whole")
    keep, killed = module.keep, []

    def keep_and_kill(*piece):
        keep(*piece)
        if not killed:
            busy = (address for address, tasks in cluster.processing().items() if tasks)
            pid = cluster.run(os.getpid, workers=[address := next(busy)])[address]
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
            assert len(list((tmp_path / "kept").iterdir())) == 1

    monkeypatch.setattr(module, "keep", keep_and_kill)
    with joblib.parallel_config(backend="dask"):
        assert_same(expected, pm.sweep(work, store=tmp_path / "kept"))
    cluster.wait_for_workers(2, timeout=60)
    assert killed[0] not in cluster.run(os.getpid).values()


def test_a_worker_of_another_version_is_refused(monkeypatch):
    setting = settings()[0]
    name = module.piece_name(module._key(setting))
    monkeypatch.setattr(np, "__version__", "1.0")
    with pytest.raises(RuntimeError, match="must have the versions"):
        module._measure(name, setting)


# -- what is kept on disk -----------------------------------------------------------

KILLED = """
import os, pathlib, signal, sys
import test_sweep

kept = []
rename = pathlib.Path.replace

def kill_before_the_fourth(self, target):
    if len(kept) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    kept.append(rename(self, target))

pathlib.Path.replace = kill_before_the_fourth
test_sweep.pm.sweep(test_sweep.settings(), store=sys.argv[1])
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_killed_sweep_resumes(expected, computed, tmp_path):
    """Killed in mid-sweep, with three pieces kept and the fourth half written."""
    child = subprocess.run(
        [sys.executable, "-c", KILLED, tmp_path], cwd=Path(__file__).parent
    )
    assert child.returncode == -signal.SIGKILL
    assert len(list(tmp_path.glob("*.json"))) == 3
    assert len(list(tmp_path.glob("*.partial"))) == 1
    assert_same(expected, pm.sweep(settings(), store=tmp_path))
    assert len(computed) == len(settings()) - 1 - 3


def test_a_kept_piece_belongs_to_everything_that_determines_it():
    arms = pm.bernoulli([0.4, 0.6])
    base = {"instance": arms, "policy": pm.ucb1(), "T": 10, "n_runs": 3, "seed": 1,
            "exponents": (0,)}  # fmt: skip
    changes = [
        {},
        {"instance": pm.bernoulli([0.4, np.nextafter(0.6, 1)])},
        {"instance": pm.uniform([0.4, 0.6], [0.4, 0.6])},
        {"policy": pm.ucb1(5)},
        {"policy": pm.ucb1(order="random")},
        {"policy": pm.Policy("UCB1", pm.ucb_index, T_tilde=1)},
        {"policy": pm.Policy("UCB1", pm.ncb_index)},
        {"T": 11},
        {"n_runs": 4},
        {"seed": 2},
        {"exponents": (1,)},
    ]
    keys = [module._key(pm.Setting(**(base | change))) for change in changes]
    assert len(set(map(module.piece_name, keys))) == len(changes)


def test_no_two_settings_share_a_stream():
    """Horizons, policies and instances are independent; more runs go on."""
    arms = pm.bernoulli([0.4, 0.6])
    base = {"instance": arms, "policy": pm.explore_then_ucb(10**4, 2, 0), "T": 10**4,
            "n_runs": 3, "seed": 1, "exponents": (0,)}  # fmt: skip
    changes = [{}, {"T": 20_000}, {"seed": 2}, {"policy": pm.ncb(10**4, 2)},
               {"instance": pm.bernoulli([0.4, 0.7])}]  # fmt: skip
    drawn = [pm.Setting(**(base | c)).rng.random() for c in changes]
    assert len(set(drawn)) == len(changes)
    again = pm.Setting(**(base | {"n_runs": 9, "exponents": (1, 0)}))
    assert again.rng.random() == drawn[0]


def test_streams_do_not_change_with_the_platform():
    """The first number of one setting's stream, written down once."""
    s = pm.Setting(pm.bernoulli([0.25, 0.5]), pm.ucb1(), 100, 3, 1, (0,))
    assert s.rng.random() == 0.2503460345617383


# -- progress, memory, Ctrl-C -------------------------------------------------------


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_progress_counts_what_is_left(tmp_path, monkeypatch, backend):
    bars = []

    def bar(items=None, **options):
        if items is not None:  # what is done before the first round
            return items
        bars.append(tqdm(file=io.StringIO(), disable=False, **options))
        return bars[-1]

    monkeypatch.setattr(module, "progress_bar", bar)
    work = settings()[:4]
    with joblib.parallel_config(backend=backend, n_jobs=2):
        pm.sweep(work[:2], store=tmp_path)
        pm.sweep(work, store=tmp_path)
    assert [b.initial for b in bars] == [0, bars[0].total]
    assert [b.n for b in bars] == [b.total for b in bars]
    assert bars[1].total == 2 * bars[0].total == 4 * (3000 * 12 + 3000 * 3 * 13 // 2)


def test_many_settings_are_told_of_in_the_first_second(tmp_path, monkeypatch):
    """On a clock on which each of them takes a tenth of a second."""
    clock, screen, told = [0.0], io.StringIO(), []
    screen.isatty = lambda: True
    monkeypatch.setattr("tqdm.std.time", lambda: clock[0])
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)  # a terminal

    def slowly(setting):
        for _ in range(20):
            clock[0] += 0.1
            told.append("setting" in screen.getvalue())
            yield setting

    pm.sweep(slowly(settings(T=50, n_runs=3)[0]), store=tmp_path)
    assert not told[0]
    assert told[8]  # at 0.9 seconds


@pytest.mark.skipif(os.name == "nt", reason="no getrusage")
def test_long_runs_in_less_than_a_gibibyte(tmp_path):
    code = f"""
import pathlib, resource, numpy as np, pmeanlib as pm
arms = pm.random_instance("bernoulli", 50, np.random.default_rng(0))
explore = pm.Policy("uniform", pm.ucb_index, T_tilde=10**7)  # memory, not time
work = [pm.Setting(arms, explore, 10**7, 8, 1, (0,))]
work += [pm.Setting(arms, pm.ucb1(), 2000, 8, 1, (0,))]
print(len(pm.sweep(work, workers=2, store=pathlib.Path({str(tmp_path)!r}))))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    out = subprocess.check_output([sys.executable, "-c", code], text=True)
    rows, peak = map(int, out.split())
    unit = 1 if sys.platform == "darwin" else 1024
    assert rows == 2
    assert peak * unit < 2**30
