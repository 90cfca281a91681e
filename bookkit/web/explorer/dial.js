/* The explorer "dial": turn p and see who counts, and what each algorithm regrets; first,
 * if the page asks for it, on a few people's bars. Needs window.PMEAN_DATA and all parts. */
(function () {
  "use strict";
  const maths = pmean.maths, draw = pmean.chart;
  const { element, number, short, whole } = draw;
  const data = window.PMEAN_DATA, [LEAST] = pmean.constants.exponents, { GRID } = pmean.rounds;
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
  function unpack(stored) {
    const ends = stored.edges, series = {}, weights = [], middle = [];
    for (let b = 0; b + 1 < ends.length; b++) {
      weights.push(ends[b + 1] - ends[b]);
      middle.push(Math.sqrt((ends[b] + 1) * ends[b + 1]));
    }
    stored.series.forEach((s) => {
      series[s.key] = { ...s, values: s.values.map((v) => v / data.digits) };
    });
    return { T: stored.T, weights, middle, series, muStar: stored.mu_star };
  }

  /** Regret against p, without the small corrections of `measured`. */
  function regretLine(series, frame) {
    series.welfare = series.welfare || maths.pMeans(series.values, GRID, frame.weights);
    return GRID.map((p, i) => [p, frame.muStar - series.welfare[i]]);
  }

  /** Regret with the stored standard error.
   *
   * Blocks of rounds and the bias of an average of runs: the stored estimates tell how
   * much they matter at whole p, and it changes little in between. */
  function measured(series, frame, p) {
    const grid = data.exponents, plugIn = (q) => (
      maths.regret(frame.muStar, series.values, q, frame.weights));
    let j = 1;
    while (j < grid.length - 1 && grid[j] < p) j++;
    series.shifts = series.shifts || grid.map((q, i) => series.regrets[i] - plugIn(q));
    const part = (p - grid[j - 1]) / (grid[j] - grid[j - 1]);
    const between = (v) => v[j - 1] + part * (v[j] - v[j - 1]);
    return { value: plugIn(p) + between(series.shifts), error: between(series.errors) };
  }

  function dial(box) {
    const told = pmean.constants.people[box.dataset.people];
    const frames = {};
    const fields = {
      p: pmean.panel.exponent(told ? told.one : "round"),
      instance: {
        label: "instance", options: data.frames.map((f) => (
          [f.family, `${f.title} arms of the paper, T = ${whole(f.T)}`]))
      },
      tuning: {
        label: "EUCB explores for", options: [["follow", "the p nearest to the dial"]]
          .concat(data.tunings.map((t) => [String(t.p), "p = " + short(t.p)]))
      },
      ...(told ? pmean.people.fields(told) : {})
    };
    const panel = pmean.panel.panel(box, { fields, update }), state = panel.state;
    const turn = element("div", { class: "turn" });
    const choices = element("div", { class: "controls" });
    const left = element("div"), right = element("div");
    const charts = element("div", { class: "charts" }, [left, right]);
    const reading = element("table", { class: "reading" });
    panel.control(turn, "p");
    ["instance", "tuning"].forEach((key) => panel.control(choices, key));
    const people = told ? pmean.people.people(panel, told) : null;
    let parts = null, drawn = "";

    // ---- which series are shown ----------------------------------------------------

    /** EUCB as it is to be shown: as chosen, or tuned for the p nearest to the dial. */
    function tuning() {
      const wanted = state.tuning === "follow" ? state.p : Number(state.tuning);
      return data.tunings.reduce((best, t) => (
        Math.abs(t.p - wanted) < Math.abs(best.p - wanted) ? t : best));
    }
    function frameOf(name) {
      frames[name] = frames[name] || unpack(data.frames.find((f) => f.family === name));
      return frames[name];
    }

    // ---- drawing -------------------------------------------------------------------

    /** Axes: what depends on the instance and the width alone. */
    function build(frame) {
      const top = Math.min(1, Math.ceil(frame.muStar * 11) / 10), yTicks = [];
      for (let v = 0; v <= top + 1e-9; v += 0.2) yTicks.push([v, number(v, 1)]);
      parts = pmean.rounds.charts({
        left, right, T: frame.T, top, yTicks, tall: 236, small: 262, one: "algorithm",
        rows: data.algorithms, moved: (p) => panel.set({ p })
      });
      parts.instance = state.instance;
    }

    /** The curves of both charts. */
    function curves(frame, series) {
      const names = pmean.rounds.curves(parts, frame.muStar, 8, series.map((s) => ({
        name: s.name, tag: s.name, kind: KINDS[s.name], values: s.values, frame,
        line: regretLine(s, frame)
      })));
      parts.time.names(names.time);
      parts.regret.names(names.regret);
    }

    /** What p decides: who counts, the needle, the numbers; what they say. */
    function mark(frame, series) {
      const p = state.p, readings = series.map((s) => measured(s, frame, p));
      parts.strip.caption.textContent = `weight of the rounds at p = ${short(p)}`;
      parts.strip.rows.forEach((show, i) => {
        show(pmean.rounds.inBins(maths.shares(series[i].values, p, frame.weights), frame, parts.strip.bins));
      });
      parts.needle(p, ...series.map((s, i) => (
        parts.regret.dot(p, Math.max(0, readings[i].value), KINDS[s.name]))));
      pmean.panel.fill(reading, `Best mean ${number(frame.muStar, 3)}, T = ${whole(frame.T)}, `
        + `n_runs = ${whole(data.n_runs)}`,
      ["algorithm", "p-mean regret", "rounds with half the weight", "rounds of exploring"],
      series.map((s, i) => row(s, frame, readings[i])));
      return `At p = ${short(p)}: ${series.map((s, i) => (
        `${s.name} regrets ${words(readings[i], 4)}`)).join(", ")} (`
        + fields.instance.options.find(([key]) => key === state.instance)[1]
        + `; EUCB explores for p = ${short(tuning().p)}; n_runs = ${whole(data.n_runs)}).`;
    }
    function words({ value, error }, digits) {
      return `${number(value, digits)} \u00b1 ${number(error, digits)}`;
    }
    function row(s, frame, reading) {
      const half = maths.halfTheSay(s.values, state.p, frame.weights);
      return element("tr", { "data-algorithm": s.name }, [
        pmean.panel.rowHead(KINDS[s.name], s.name),
        element("td", { class: "regret" }, [words(reading, 5)]),
        element("td", { class: "half" }, [whole(half)]),
        element("td", {}, [s.capped ? "all of T" : whole(s.T_tilde)])
      ]);
    }

    function update() {
      const keys = data.algorithms.map((a) => (a.tuned ? tuning().key : a.name));
      const frame = frameOf(state.instance), series = keys.map((key) => frame.series[key]);
      const shown = [state.instance, ...keys].join();
      if (!draw.fits(parts?.time, left) || parts.instance !== state.instance) {
        build(frame);
        drawn = "";
      }
      if (shown !== drawn) curves(frame, series);
      drawn = shown;
      return [people ? people.update(state) : "", mark(frame, series)].join(" ").trim();
    }

    const many = element("p", { class: "part" }, ["Then many people, one after another"]);
    panel.begin(...panel.questions([...(told ? [questionOf(told)] : []), ...QUESTIONS]),
      ...(people ? [turn, people.node, many, choices] : [choices, turn]), charts,
      element("div", { class: "reading-box" }, [reading]));
    panel.ready(true);
  }

  pmean.panel.start("dial", dial);
})();
