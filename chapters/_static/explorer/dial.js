/* The explorer "dial": turn p and see who counts, and what each algorithm regrets; first,
 * if the page asks for it, on a few people's bars. Needs window.PMEAN_DATA and all parts. */
(function () {
  "use strict";
  const maths = pmean.maths, bandit = pmean.bandit, draw = pmean.chart;
  const { element, number, short, whole } = draw;
  const data = window.PMEAN_DATA, [LEAST, GREATEST] = pmean.constants.exponents;
  const GRID = []; // the exponents at which the curves of regret are drawn
  for (let p = LEAST; p <= GREATEST; p += 0.25) GRID.push(p);
  const RUNS = data.own.n_runs; // of the reader's own arms
  const BINS = 3; // bars of weight in a decade of rounds
  const STRIP = pmean.rounds.height(data.algorithms.length);
  const KINDS = Object.fromEntries(data.algorithms.map((a) => [a.name, a.kind]));

  const QUESTIONS = [{
    label: "who pays?", at: { instance: "bernoulli", tuning: "-2", p: 1 }, then: { p: -6 },
    ask: "On average UCB1 and EUCB regret about the same. Which of them suffers when p falls "
      + "to \u22126?",
    tell: "UCB1: an early round, served badly in every run, takes nearly all of its weight."
  }, {
    label: "explore longer?", at: { instance: "uniform", tuning: "-2", p: 1 },
    then: { tuning: "1" },
    ask: "Tuned for p = 1, the paper\u2019s rule lets EUCB explore much longer. Will it regret "
      + "less at p = 1?",
    tell: "No, more: the rule asks for more rounds than there are, so EUCB chooses at random "
      + "to the end."
  }, {
    label: "two arms",
    at: { instance: "own", tuning: "-2", first: 0.2, second: 0.8, p: -3 }, then: { first: 0.02 },
    ask: "Two arms of your own. The worse one becomes ten times worse: whose regret rises most "
      + "at p = \u22123?",
    tell: "UCB1\u2019s: it plays the worse arm for certain in one of its first rounds, EUCB "
      + "only every other time."
  }];

  /** The question about the people's bars, with which the first page begins. */
  function questionOf(told) {
    return {
      label: "one badly served", at: { ...pmean.people.given(told.values), p: 1 },
      then: { p: LEAST },
      ask: `At p = 1 the level is the average. Where will it stand at p = ${short(LEAST)}?`,
      tell: `At ${number(maths.pMean(told.values, LEAST), 3)}, just above the shortest bar, which `
        + "has nearly all of the weight."
    };
  }

  /** An instance as the charts need it: its blocks of rounds, and series by key. */
  function unpack(stored, muStar) {
    const ends = stored.edges, series = {}, weights = [], middle = [];
    for (let b = 0; b + 1 < ends.length; b++) {
      weights.push(ends[b + 1] - ends[b]);
      middle.push(Math.sqrt((ends[b] + 1) * ends[b + 1]));
    }
    (stored.series || []).forEach((s) => {
      series[s.key] = { ...s, runs: data.n_runs, values: s.values.map((v) => v / data.digits) };
    });
    return {
      T: stored.T, edges: ends, weights, middle, series, muStar, exponents: data.exponents
    };
  }

  /** The blocks of rounds of a series: a simulation of the reader's own arms has its own. */
  const blocks = (series, frame) => series.frame || frame;

  /** Regret against p, without the small corrections of bandit.measured. */
  function regretLine(series, frame) {
    series.welfare = series.welfare || maths.pMeans(series.values, GRID, frame.weights);
    return GRID.map((p, i) => [p, frame.muStar - series.welfare[i]]);
  }

  function dial(box) {
    const told = pmean.constants.people[box.dataset.people];
    const frames = {};
    const fields = {
      p: pmean.panel.exponent(told ? told.one : "round"),
      instance: {
        label: "instance", options: data.frames.map((f) => (
          [f.family, `${f.title} arms of the paper, T = ${whole(f.T)}`]))
          .concat([["own", `two arms of your own, T = ${whole(data.own.T)}`]])
      },
      tuning: {
        label: "EUCB explores for", options: [["follow", "the p nearest to the dial"]]
          .concat(data.tunings.map((t) => [String(t.p), "p = " + short(t.p)]))
      },
      first: pmean.panel.mean("mean of the first arm", data.own.means[0]),
      second: pmean.panel.mean("mean of the second arm", data.own.means[1]),
      ...(told ? pmean.people.fields(told) : {})
    };
    const panel = pmean.panel.panel(box, { fields, update }), state = panel.state;
    const turn = element("div", { class: "turn" });
    const choices = element("div", { class: "controls" });
    const own = element("div", { class: "controls rows own" });
    const progress = element("progress", { max: RUNS, "aria-label": "runs" });
    const runs = element("output");
    const left = element("div"), right = element("div");
    const charts = element("div", { class: "charts" }, [left, right]);
    const reading = element("table", { class: "reading" });
    panel.control(turn, "p");
    ["instance", "tuning"].forEach((key) => panel.control(choices, key));
    ["first", "second"].forEach((key) => panel.control(own, key));
    own.append(element("div", { class: "control" }, [
      element("span", {}, ["simulated runs"]), progress, runs
    ]));
    const people = told ? pmean.people.people(panel, told) : null;
    let parts = null, drawn = "", lab = null, asked = "", wanted = [], sentence = "", waiting = false;

    // ---- which series are shown ----------------------------------------------------

    /** EUCB as it is to be shown: as chosen, or tuned for the p nearest to the dial. */
    function tuning() {
      const wanted = state.tuning === "follow" ? state.p : Number(state.tuning);
      return data.tunings.reduce((best, t) => (
        Math.abs(t.p - wanted) < Math.abs(best.p - wanted) ? t : best));
    }
    function frameOf(name) {
      const means = [state.first, state.second], key = name === "own" ? means.join() : name;
      if (frames[name]?.key !== key) {
        const stored = data.frames.find((f) => f.family === name);
        frames[name] = stored ? unpack(stored, stored.mu_star)
          : unpack(data.own, Math.max(...means));
        frames[name].key = key;
      }
      return frames[name];
    }
    /** Have the workers measure what is not yet measured of the reader's own arms. */
    function measure(frame, keys) {
      const missing = keys.filter((key) => frame.series[key]?.runs !== RUNS);
      const job = [frame.key, ...missing].join();
      if (!missing.length || job === asked) return;
      asked = job;
      wanted = missing;
      lab = lab || pmean.lab.open(heard);
      lab.start(missing.map((key) => ({
        family: "bernoulli", means: [state.first, state.second], T: frame.T, n_runs: RUNS,
        seed: data.own.seed, ...data.own.policies[key].setting
      })));
    }
    /** Workers speak more often than a screen can show: then the newest word counts. */
    function heard({ i, runs: n, values, edges, profile }) {
      const frame = frames.own, key = wanted[i];
      frame.series[key] = {
        ...data.own.policies[key], runs: n, values, profile,
        frame: unpack({ T: frame.T, edges }, frame.muStar)
      };
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; panel.refresh(); });
    }

    // ---- drawing -------------------------------------------------------------------

    /** Axes: what depends on the instance and the width alone. */
    function build(frame) {
      const top = state.instance === "own" ? 1 : Math.min(1, Math.ceil(frame.muStar * 11) / 10);
      const rewards = [], exponents = [], two = right.offsetTop === left.offsetTop;
      for (let v = 0; v <= top + 1e-9; v += 0.2) rewards.push([v, number(v, 1)]);
      for (let p = LEAST; p <= GREATEST; p++) {
        if (p % 2 === 0 || p === GREATEST) exponents.push([p, short(p)]);
      }
      const time = draw.chart({
        width: draw.widthOf(left), height: 236, x: [1, frame.T], logX: true, y: [0, top],
        xTicks: draw.decades(0, Math.log10(frame.T)), yTicks: rewards, xLabel: "round t",
        yLabel: "expected reward", title: "Expected reward of each round, by algorithm"
      });
      const regret = draw.chart({
        width: draw.widthOf(right), height: two ? 236 + STRIP : 262, x: [LEAST, GREATEST],
        y: [0, top], xTicks: exponents, yTicks: rewards, xLabel: "exponent p",
        yLabel: "p-mean regret", title: "p-mean regret of each algorithm against p",
        margin: { top: 22 }
      });
      parts = {
        instance: state.instance, time, regret,
        strip: pmean.rounds.strip(time, Math.round(BINS * Math.log10(frame.T)), data.algorithms),
        needle: regret.needle((p) => panel.set({ p: Math.round(p * 20) / 20 }))
      };
      left.replaceChildren(time.svg, parts.strip.svg);
      right.replaceChildren(regret.svg);
    }

    /** The curves of both charts. */
    function curves(frame, series) {
      const { time, regret } = parts, bins = Math.round(time.width / 8);
      const best = [1, 10, 100, 1e3, 1e4].map((t) => [t, frame.muStar]);
      const named = { time: [], regret: [] };
      time.layer.replaceChildren();
      regret.layer.replaceChildren();
      time.line([[1, frame.muStar], [frame.T, frame.muStar]], "best");
      series.forEach((s) => {
        const name = s.name, kind = KINDS[name], found = pmean.rounds.profile(s, blocks(s, frame), bins);
        const means = found.map((bin) => [bin.t, bin.mean]), line = regretLine(s, blocks(s, frame));
        time.band(found.map((bin) => [bin.t, bin.low, bin.high]), kind);
        time.line(means, kind);
        regret.line(line, kind);
        named.time.push({ name, kind, points: means },
          { points: found.flatMap((bin) => [[bin.t, bin.low], [bin.t, bin.high]]) });
        named.regret.push({ name, kind, points: line });
      });
      time.names([...named.time, { name: "best mean", kind: "best", points: best }]);
      regret.names(named.regret);
    }

    /** What p decides: who counts, the needle, the numbers. */
    function mark(frame, series) {
      const p = state.p, readings = series.map((s) => bandit.measured(s, frame, p));
      const runs = Math.min(...series.map((s) => s.runs));
      parts.strip.caption.textContent = `weight of the rounds at p = ${short(p)}`;
      parts.strip.rows.forEach((show, i) => {
        show(pmean.rounds.weightByTime(series[i], blocks(series[i], frame), p, parts.strip.bins));
      });
      parts.needle(p, ...series.map((s, i) => (
        parts.regret.dot(p, Math.max(0, readings[i].value), KINDS[s.name]))));
      pmean.panel.fill(reading, `Best mean ${number(frame.muStar, 3)}, T = ${whole(frame.T)}, `
        + `n_runs = ${whole(runs)}`,
      ["algorithm", "p-mean regret", "rounds with half the weight", "rounds of exploring"],
      series.map((s, i) => row(s, frame, readings[i])));
      sentence = `At p = ${short(p)}: ${series.map((s, i) => (
        `${s.name} regrets ${words(readings[i], 4)}`)).join(", ")} (`
        + fields.instance.options.find(([key]) => key === state.instance)[1]
        + (state.instance === "own" ? `, means ${state.first} and ${state.second}` : "")
        + `; EUCB explores for p = ${short(tuning().p)}; n_runs = ${whole(runs)}).`;
    }
    function words({ value, error }, digits) {
      return `${number(value, digits)} \u00b1 ${isFinite(error) ? number(error, digits) : "?"}`;
    }
    function row(s, frame, reading) {
      const half = maths.halfTheSay(s.values, state.p, blocks(s, frame).weights);
      return element("tr", { "data-algorithm": s.name }, [
        pmean.panel.rowHead(KINDS[s.name], s.name),
        element("td", { class: "regret" }, [words(reading, 5)]),
        element("td", { class: "half" }, [whole(half)]),
        element("td", {}, [s.capped ? "all of T" : whole(s.T_tilde)])
      ]);
    }

    function update() {
      const keys = data.algorithms.map((a) => (a.tuned ? tuning().key : a.name));
      const frame = frameOf(state.instance), mine = state.instance === "own";
      own.hidden = !mine;
      if (mine) measure(frame, keys);
      const series = keys.map((key) => frame.series[key]).filter(Boolean);
      const done = Math.min(...keys.map((key) => frame.series[key]?.runs || 0));
      const measured = !mine || done === RUNS;
      if (!draw.fits(parts?.time, left) || parts.instance !== state.instance) {
        build(frame);
        drawn = "";
      }
      if (series.length === keys.length) {
        const shown = [frame.key, ...keys, done].join();
        if (shown !== drawn) curves(frame, series);
        drawn = shown;
        mark(frame, series);
      }
      progress.value = done;
      runs.textContent = `${done} of ${RUNS}`;
      charts.classList.toggle("working", !measured);
      panel.ready(measured);
      return [people ? people.update(state) : "", sentence].join(" ").trim();
    }

    const many = element("p", { class: "part" }, ["Then many people, one after another"]);
    panel.begin(...panel.questions([...(told ? [questionOf(told)] : []), ...QUESTIONS]),
      ...(people ? [turn, people.node, many, choices, own] : [choices, own, turn]), charts,
      element("div", { class: "reading-box" }, [reading]));
  }

  pmean.panel.start("dial", dial);
})();
