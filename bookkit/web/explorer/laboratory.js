/* The explorer "laboratory": any bandit, up to four policies, an index of the reader's own;
 * simulated in workers with the library's own numbers. Needs the engine and all parts. */
(function () {
  "use strict";
  const maths = pmean.maths, draw = pmean.chart, views = pmean.views, engine = pmean.engine;
  const { element, number, short, whole, percent } = draw, room = draw.widthOf;
  const [LEAST, GREATEST] = pmean.constants.exponents;
  const told = pmean.constants.laboratory, SLOTS = [1, 2, 3, 4];
  const LETTERS = ["", "A", "B", "C", "D"];
  const { GRID } = pmean.rounds, WHOLE = []; // exponents of the curves of regret, of error bars
  for (let p = LEAST; p <= GREATEST; p += 1) WHOLE.push(p);
  const KEPT = 24; // results that are remembered
  const PAUSE = 90; // milliseconds between two drawings of runs as they come in
  const TAKE = 0.25; // a round with so much of the weight is pointed at

  // ---- fields ----------------------------------------------------------------------

  const two = (v) => Number(v.toPrecision(2));
  /** Positions of a slider for whole numbers, in two digits, even in their logarithms. */
  function amount(label, low, high, more) {
    return {
      label, min: Math.log10(low), max: Math.log10(high), step: 0.01, show: whole,
      at: Math.log10, of: (v) => Math.round(two(10 ** v)), ...more
    };
  }
  /** Means as they are typed: 2 to 20 numbers from 0 to 1. */
  function readArms(text) {
    const found = [...text.matchAll(/[^\s,;]+/g)], fail = (message, at) => ({
      error: { message, at }
    });
    for (const { 0: word, index } of found) {
      const v = Number(word);
      if (!/^[\d.eE+-]+$/.test(word) || !(v >= 0 && v <= 1)) {
        return fail("a mean must be a number from 0 to 1", index);
      }
    }
    if (found.length < 2) return fail("there must be at least 2 arms", text.length);
    if (found.length > told.most) return fail(`at most ${told.most} arms`, found[told.most].index);
    return { value: found.map(([word]) => Number(Number(word).toPrecision(6))).join(" ") };
  }
  function readSeed(text) {
    const v = Number(text.trim() || NaN);
    return Number.isSafeInteger(v) && v >= 0 && /^\s*\d+\s*$/.test(text) ? { value: v }
      : { error: { message: "a seed must be a whole number, 0 or more", at: 0 } };
  }
  function readFormula(text) {
    const parsed = pmean.formula.parse(text);
    return parsed.ok ? { value: text.trim() } : { error: parsed.error };
  }
  const RULE = -1; // T~ as the policy has it
  function fieldsOfSlot(n) {
    return {
      ["policy" + n]: {
        label: `policy ${LETTERS[n]}`, unknown: "none", options: [["none", "none"]]
          .concat(engine.POLICIES.map(({ key, title }) => [key, title]))
      },
      ["index" + n]: { label: "index =", read: readFormula, attributes: { class: "formula" } },
      ["width" + n]: { label: "width", min: 0, max: 8, step: 0.1, show: (v) => number(v, 1) },
      ["tuned" + n]: {
        label: "tuned for", options: told.tunings.map((p) => [String(p), "p = " + short(p)])
      },
      ["tilde" + n]: {
        label: "explores for", min: -0.4, max: 5, step: 0.01,
        at: (v) => (v < 0 ? -0.4 : v < 1 ? -0.2 : Math.log10(v)),
        of: (v) => (v < -0.3 ? RULE : v < -0.05 ? 0 : Math.round(two(10 ** v))),
        show: (v) => (v < 0 ? "by rule" : `${whole(v)} rounds`)
      },
      ["order" + n]: {
        label: "first order", options: [["fixed", "1, 2, 3, \u2026"], ["random", "shuffled"]]
      }
    };
  }
  const FIELDS = {
    p: pmean.panel.exponent("round"),
    family: { label: "rewards", options: [["bernoulli", "0 or 1"], ["uniform", "uniform"]] },
    arms: { label: "means", read: readArms, attributes: { class: "means" } },
    horizon: amount("rounds T", 100, 1e5),
    runs: amount("runs", 10, 1e4),
    seed: {
      label: "seed", read: readSeed, write: String, attributes: { inputmode: "numeric", size: "8" }
    },
    ...Object.assign({}, ...SLOTS.map(fieldsOfSlot)),
    shown: {
      label: "run of", options: SLOTS.map((n) => [String(n), "policy " + LETTERS[n]])
    },
    run: { label: "run number", min: 1, max: 1e4, step: 1, show: whole },
    round: {
      label: "round", min: 0, max: 5, step: 0.01, show: whole, at: Math.log10,
      of: (v) => Math.max(1, Math.round(10 ** v))
    }
  };

  // ---- stories ---------------------------------------------------------------------

  const EMPTY = Object.fromEntries(SLOTS.flatMap((n) => [
    ["policy" + n, "none"], ["width" + n, 4], ["tilde" + n, RULE], ["order" + n, "fixed"],
    ["tuned" + n, "-2"]]));
  const FIRST = { ...EMPTY, horizon: 1e4, runs: 200, seed: 1, shown: "1", run: 1, round: 1 };
  const QUEUE = { ...FIRST, ...told.instances.queue.at }, EASY = { ...FIRST, ...told.instances.easy.at };
  const STORIES = [{
    label: "a fixed order",
    at: { ...QUEUE, p: 1, policy1: "ucb1", policy2: "ucb1", order2: "random" }, then: { p: -3 },
    ask: "A tries the arms as they are numbered, B shuffles them in every run. On average that "
      + "makes no difference. Will it at p = \u22123?",
    tell: "Yes: in a fixed order the same early round gets the worst arm in every run, and takes "
      + "nearly all of A\u2019s weight. A shuffle spreads that bad luck over everybody."
  }, {
    label: "too much exploring",
    at: { ...EASY, p: 1, policy1: "ucb1", policy2: "eucb" }, then: { tuned2: "1" },
    ask: "B explores before it chooses, tuned for p = \u22122. Tuned for p = 1 it explores "
      + "longer. Will it regret less at p = 1?",
    tell: "No, far more: at this T the rule asks for more rounds than there are, so B chooses at "
      + "random to the end."
  }, {
    label: "does NCB need it?",
    at: { ...EASY, p: 0, policy1: "ncb", policy2: "ncb", tilde2: 100 },
    then: { policy3: "ncb", tilde3: 0 },
    ask: "A is NCB with the exploration of its rule, B the same with 100 rounds of it, and B is "
      + "better by far. So why not C, with none at all?",
    tell: "Because NCB can lose a good arm for ever: one that pays nothing the first time has "
      + "index 0. C regrets more than B, with a large error: a few runs go wrong. It needs some "
      + "exploration, not all of it."
  }, {
    label: "ruin UCB1",
    at: { ...FIRST, ...told.instances.killer.at, p: 1, policy1: "ucb1", policy2: "eucb" },
    then: { p: -1 },
    ask: "Arm 1 always pays, arm 2 next to never. At p = 1 UCB1 is nearly perfect. What does it "
      + "regret at p = \u22121?",
    tell: "Everything: it goes back to arm 2 in rounds that are the same in every run, and one "
      + "such round is enough. EUCB pays only for its exploration."
  }, {
    label: "your own index",
    at: { ...QUEUE, p: 1, policy1: "ucb1", policy4: "own", index4: "mu_hat + sqrt(log_T / pulls)" },
    then: { p: -6 },
    ask: "D is typed by hand: UCB1 with a quarter of the width. It wins at p = 1. And at "
      + "p = \u22126?",
    tell: "There they are equal: both try the worst arm in round 1, and that round is all that "
      + "counts. Now change D\u2019s formula."
  }];

  // ---- settings and results --------------------------------------------------------

  const meansOf = (state) => state.arms.split(" ").map(Number);

  /** Whether the width matters: a typed index may not mention it. */
  function asksWidth(state, n) {
    return state["policy" + n] !== "own"
      || pmean.formula.parse(state["index" + n]).names.includes("width");
  }

  /** What the engine is asked to simulate for one policy. */
  function settingOf(state, n) {
    const key = state["policy" + n];
    if (key === "none") return null;
    const setting = {
      family: state.family, means: meansOf(state), policy: key, order: state["order" + n],
      T: state.horizon, n_runs: state.runs, seed: state.seed
    };
    if (asksWidth(state, n)) setting.width = state["width" + n];
    if (key === "eucb") setting.p = Number(state["tuned" + n]);
    if (state["tilde" + n] !== RULE) setting.T_tilde = Math.min(state.horizon, state["tilde" + n]);
    if (key === "own") setting.formula = state["index" + n];
    return setting;
  }

  /** Names that tell the policies apart. */
  function nameAll(series) {
    series.forEach((s) => {
      const { setting, policy } = s, said = [policy.key === "own" ? "your index" : policy.name];
      const differs = (key) => series.some((o) => (
        o.policy.key === policy.key && o.setting[key] !== setting[key]));
      if (differs("p") && setting.T_tilde === undefined) said.push(`tuned for p = ${short(setting.p)}`);
      if (differs("width")) said.push(`width ${short(policy.width)}`);
      if (differs("T_tilde")) said.push(`T~ ${"T_tilde" in setting ? short(setting.T_tilde) : "by rule"}`);
      if (differs("order")) said.push(setting.order === "random" ? "shuffled" : "in order");
      s.name = said.join(", ");
      s.tag = LETTERS[s.slot];
      s.label = `${s.tag}: ${s.name}`;
    });
  }

  /** Where blocks of rounds lie on a logarithmic axis. */
  function middles(edges) {
    const middle = [];
    for (let b = 0; b + 1 < edges.length; b++) middle.push(Math.sqrt((edges[b] + 1) * edges[b + 1]));
    return middle;
  }

  function laboratory(box) {
    const results = new Map(), dirty = new Set(); // what is known by setting, what is to be drawn
    let lab = null, job = null, asked = "", active = [], sentence = "", parts = null;
    let wanting = null, run = null, runKey = "", lit = null, coming = false;
    let shown = 0, named = 0, refined = 0; // when runs were drawn, names placed, error bars computed
    const panel = pmean.panel.panel(box, { fields: FIELDS, update, settle }), state = panel.state;

    /** What does not fit is mended. */
    function settle(now, changes) {
      SLOTS.forEach((n) => {
        if (changes["policy" + n] && changes["width" + n] === undefined) now["width" + n] = maths.WIDTH;
        FIELDS["tilde" + n].max = Math.log10(now.horizon);
        now["tilde" + n] = Math.min(now["tilde" + n], now.horizon);
      });
      FIELDS.run.max = now.runs;
      FIELDS.round.max = Math.log10(now.horizon);
      now.run = Math.min(now.run, now.runs);
      now.round = Math.min(now.round, now.horizon);
      if (now["policy" + now.shown] === "none") {
        now.shown = String(SLOTS.find((n) => now["policy" + n] !== "none") || 1);
      }
    }

    // ---- the controls --------------------------------------------------------------

    const bandit = element("div", { class: "controls bench" });
    const instances = pmean.panel.choice({
      label: "arms", options: [["own", "your own"]].concat(Object.entries(told.instances)
        .map(([key, { title }]) => [key, title]))
    }, "own", (key) => { if (key !== "own") panel.set(told.instances[key].at); });
    bandit.append(instances.node);
    ["arms", "family", "horizon", "runs", "seed"].forEach((key) => panel.control(bandit, key));
    const fewer = pmean.panel.button("\u2212 arm", () => resize(-1));
    const more = pmean.panel.button("+ arm", () => resize(1));
    bandit.append(element("div", { class: "control" }, [fewer, more]));
    function resize(by) {
      const mu = meansOf(state);
      if (by < 0) mu.pop();
      else mu.push(0.5);
      panel.set({ arms: mu.join(" ") });
    }

    const left = element("div"), right = element("div");
    const armsView = views.arms(left, (i, mean) => {
      const mu = meansOf(state);
      mu[i] = mean;
      panel.set({ arms: mu.join(" ") });
    });
    const pullsView = views.pulls(right);
    const arms = element("div", { class: "charts even" }, [left, right]);

    const cards = SLOTS.map((n) => {
      const rows = element("div", { class: "rows" }), formula = element("div");
      const words = element("span", { class: "words" });
      const folded = element("details", {}, [element("summary", {}, [words]), rows]);
      const head = element("div", { class: "head" }, [
        element("span", { class: "letter", "aria-hidden": "true" }, [LETTERS[n]])
      ]);
      panel.control(head, "policy" + n);
      panel.control(formula, "index" + n);
      const controls = Object.fromEntries(["width", "tuned", "tilde", "order"].map((key) => (
        [key, panel.control(rows, key + n)])));
      const wrong = element("p", { class: "wrong", role: "alert" });
      const node = element("div", { class: "policy s" + n }, [head, formula, folded, wrong]);
      return { n, node, folded, formula, controls, words, wrong };
    });
    const policies = element("div", { class: "controls cards" }, cards.map((card) => card.node));

    const turn = element("div", { class: "turn" });
    panel.control(turn, "p");
    const time = element("div"), regret = element("div");
    const charts = element("div", { class: "charts" }, [time, regret]);
    const progress = element("progress", { max: 1, "aria-label": "runs done" });
    const done = element("output");
    const bar = element("div", { class: "controls going" }, [progress, done]);
    const reading = element("table", { class: "reading" });
    const warning = element("p", { class: "warning" });

    const stepping = element("div", { class: "controls stepping" });
    ["shown", "run", "round"].forEach((key) => panel.control(stepping, key));
    const step = (by) => panel.set({ round: Math.min(state.horizon, Math.max(1, state.round + by)) });
    stepping.append(element("div", { class: "control" }, [
      pmean.panel.button("\u25c0 round", () => step(-1)), pmean.panel.button("round \u25b6", () => step(1)),
      pmean.panel.button("next other arm", () => {
        if (!run) return;
        const from = run.arms[state.round - 1];
        let t = state.round;
        while (t < state.horizon && run.arms[t] === from) t++;
        panel.set({ round: Math.min(state.horizon, t + 1) });
      })
    ]));
    const rollNode = element("div"), tubeNode = element("div");
    const rollView = views.roll(rollNode, (round) => panel.set({ round }));
    const tubeView = views.tubes(tubeNode);
    const why = element("p", { class: "why" });
    const oneRun = element("div", { class: "charts" }, [rollNode, tubeNode]);

    const program = element("pre");
    const lines = element("div", { tabindex: "0", role: "region", "aria-label": "Python program" }, [program]);
    const code = element("details", { class: "program" }, [
      element("summary", {}, ["The same numbers in Python"]), lines]);

    // ---- simulating ----------------------------------------------------------------

    /** Ask the workers for what is to be shown, unless they are at it. */
    function simulate() {
      active = SLOTS.map((n) => ({ slot: n, setting: settingOf(state, n), kind: "s" + n }))
        .filter((s) => s.setting);
      active.forEach((s) => {
        s.policy = engine.policy(s.setting);
        s.instance = engine.instance(s.setting);
        s.key = JSON.stringify(s.setting);
      });
      nameAll(active);
      const wanted = active.map((s) => s.key).join("\n");
      if (wanted === asked) return;
      asked = wanted;
      lab = lab || pmean.lab.open(heard);
      job = lab.start(active.map((s) => s.setting));
    }
    /** Workers speak more often than a screen can show: then the newest word counts. */
    function heard(word) {
      const s = active[word.i], before = s && results.get(s.key);
      if (word.job !== job || !s) return;
      if (word.exact) {
        before.exact.set(word.exact.p, word.exact);
        later("mark", "read");
        return;
      }
      if (word.error) results.set(s.key, { error: word.error });
      else if (word.done || !before?.done) { // what is known already stays until it is done anew
        results.delete(s.key); // the newest last
        results.set(s.key, {
          ...word, middle: middles(word.edges), T: s.setting.T, muStar: s.instance.mu_star,
          exact: before?.done ? before.exact : new Map(), estimates: before?.estimates
        });
      }
      while (results.size > KEPT) results.delete(results.keys().next().value);
      if (word.done || performance.now() - shown > PAUSE) {
        shown = performance.now();
        later("curves", "mark", "read", "names", "refine");
      }
    }
    /** Error bars for whole p, of one policy at a time. */
    function refine({ series }) {
      const stale = series.find(({ result: r }) => r.estimates?.runs !== r.runs);
      if (!stale) return;
      const r = stale.result;
      if (r.done || performance.now() - refined > 400) {
        r.estimates = { runs: r.runs, at: engine.regrets(r.profile, WHOLE) };
        refined = performance.now();
        later("curves");
      }
      if (r.done) later("refine");
    }
    /** The library's own numbers, from every single round, once all runs are done. */
    function wantExact(series) {
      clearTimeout(wanting);
      const missing = series.filter(({ result: r }) => r.done && r.job === job && !r.exact.has(state.p));
      if (!missing.length) return;
      wanting = setTimeout(() => missing.forEach(({ place }) => lab.exact(place, state.p)), 120);
    }
    /** The regret of a result at p: exact if it is known, else from blocks of rounds. */
    function estimate(r, p) {
      if (r.exact.has(p)) return r.exact.get(p);
      if (r.near?.p !== p) [r.near] = engine.regrets(r.profile, [p]);
      return r.near;
    }

    // ---- drawing -------------------------------------------------------------------

    function build(key, top) {
      parts = pmean.rounds.charts({
        left: time, right: regret, T: state.horizon, top, yTicks: views.ticks(top), tall: 260,
        small: 280, one: "policy", rows: active.map(({ tag, kind }) => ({ name: tag, kind })),
        moved: (p) => panel.set({ p })
      });
      parts.key = key;
      parts.needle(state.p);
      named = 0;
    }

    /** The curves of both charts. */
    function curves(series, muStar, final) {
      const { time: first, regret: second } = parts;
      parts.names = pmean.rounds.curves(parts, muStar, 5, series.map(({ kind, label, tag, result: r }) => (
        { name: label, tag, kind, values: r.values, frame: r, line: regretLine(r) })));
      series.forEach(({ kind, result: r, policy, tag }, i) => {
        bars(second, r, kind);
        if (policy.T_tilde > 1 && policy.T_tilde < state.horizon) {
          note(first, policy.T_tilde, `${tag} ends exploring`, kind, i);
        }
      });
      [first, second].forEach((plot) => plot.layer.append(...plot.written || []));
      if (final || performance.now() - named > 400) later("names");
    }
    /** Names beside the curves; while these move the names stay where they are. */
    function names() {
      ["time", "regret"].forEach((key) => {
        const plot = parts[key];
        plot.written?.forEach((node) => node.remove());
        plot.names(parts.names[key]);
        plot.written = [...plot.layer.querySelectorAll(".name")];
      });
      named = performance.now();
    }
    /** A word at a round, above the time axis. */
    function note(plot, t, words, kind, row) {
      const x = plot.x(t), floor = plot.y(0), late = x > plot.width / 2;
      plot.layer.append(element("line", {
        x1: x, x2: x, y1: plot.margin.top, y2: floor, class: "note-line " + kind
      }), element("text", {
        x: x + (late ? -4 : 4), y: floor - 6 - 13 * row, class: "note " + kind,
        "text-anchor": late ? "end" : "start"
      }, [words]));
    }
    /** Regret against p: of the blocks, with the correction that the error bars bring. */
    function regretLine(r) {
      if (r.line && r.lineOf === r.estimates) return r.line;
      const welfare = maths.pMeans(r.values, GRID, r.weights);
      r.line = GRID.map((p, i) => {
        const plug = r.muStar - welfare[i];
        if (!r.estimates) return [p, plug];
        const j = Math.min(WHOLE.length - 2, Math.floor(p - LEAST)), part = p - WHOLE[j];
        const shift = (e) => e.value - e.plug_in, [a, b] = [r.estimates.at[j], r.estimates.at[j + 1]];
        return [p, Math.max(0, plug + shift(a) + part * (shift(b) - shift(a)))];
      });
      r.lineOf = r.estimates;
      return r.line;
    }
    /** Two standard errors up and down at whole p; hollow where they are not to be trusted. */
    function bars(plot, r, kind) {
      r.estimates?.at.forEach(({ p, value, standard_error: error, trusted }) => {
        if (!isFinite(value) || p === LEAST || p === GREATEST) return;
        const x = plot.x(p), y = plot.y(Math.max(0, value));
        const high = plot.y(value + 2 * error), low = plot.y(Math.max(0, value - 2 * error));
        if (low - high > 2) {
          plot.layer.append(element("line", { x1: x, x2: x, y1: high, y2: low, class: "error " + kind }));
        }
        plot.layer.append(element("circle", {
          cx: x, cy: y, r: 2.6, class: `point ${kind}${trusted ? "" : " doubtful"}`
        }));
      });
    }

    /** What p decides: who counts, and the needle. */
    function mark({ series }) {
      const { p } = state, { rows, bins } = parts.strip;
      parts.strip.caption.textContent = `weight of the rounds at p = ${short(p)}`;
      active.forEach((s, row) => {
        rows[row](s.result?.runs ? pmean.rounds.inBins(sharesOf(s.result), s.result, bins) : []);
      });
      parts.needle(p, ...series.map((s) => (
        parts.regret.dot(p, Math.max(0, estimate(s.result, p).value), s.kind))));
      pointAt(series);
    }
    /** The numbers at p, in the table and in a sentence. */
    function read({ series, muStar }) {
      const { p } = state, readings = series.map(({ result }) => estimate(result, p));
      pmean.panel.fill(reading, `p = ${short(p)}, best mean ${views.short3(muStar)}, T = `
        + `${whole(state.horizon)}`,
      ["policy", "p-mean regret", "rounds with half the weight", "rounds of exploring",
        "best arm\u2019s part"], series.map((s, i) => row(s, readings[i])));
      const doubts = series.map((s, i) => [s, readings[i]]).filter(([, e]) => !e.trusted);
      warning.textContent = doubts.map(([s, e]) => (
        `(?) The error bar of ${s.tag} is not to be trusted: ${!isFinite(e.doubt)
          ? "all runs are alike" : `${whole(e.runs_needed)} runs or so would do`}.`)).join(" ");
      const runs = Math.min(...series.map(({ result }) => result.runs));
      sentence = series.length ? `At p = ${short(p)}: ${series.map((s, i) => (
        `${s.name} regrets ${words(readings[i], 4)}`)).join("; ")} (${meansOf(state).length} `
        + `${state.family === "uniform" ? "uniform" : "Bernoulli"} arms, T = ${whole(state.horizon)}, `
        + `n_runs = ${whole(runs)}).` : "No policy is chosen.";
      panel.tell(sentence);
    }
    /** The shares of the weight at p, remembered. */
    function sharesOf(r) {
      if (r.sharesAt !== state.p) {
        r.shares = maths.shares(r.values, state.p, r.weights);
        r.sharesAt = state.p;
      }
      return r.shares;
    }
    /** The one round that has most of the weight, if one has. */
    function pointAt(series) {
      let most = { share: TAKE };
      series.forEach((s) => sharesOf(s.result).forEach((share, b) => {
        if (share > most.share && s.result.weights[b] === 1) most = { share, s, b };
      }));
      parts.time.svg.querySelector(".pointed")?.remove();
      if (!most.s) return;
      const { result: r, kind, tag } = most.s, t = r.edges[most.b] + 1;
      const x = parts.time.x(t), y = parts.time.y(r.values[most.b]), late = x > parts.time.width / 2;
      parts.time.svg.append(element("g", { class: "pointed " + kind }, [
        element("circle", { cx: x, cy: y, r: 6 }),
        element("text", {
          x: x + (late ? -11 : 11), y: Math.min(y + 4, parts.time.y(0) - 4), class: "note " + kind,
          "text-anchor": late ? "end" : "start"
        }, [`round ${whole(t)} has ${percent(most.share)} of ${tag}\u2019s weight`])
      ]));
    }
    function words({ value, standard_error: error, trusted }, digits) {
      return `${number(value, digits)} \u00b1 ${isFinite(error) ? number(error, digits) : "?"}`
        + (trusted ? "" : " (?)");
    }
    function row(s, e) {
      const r = s.result, half = maths.halfTheSay(r.values, state.p, r.weights, sharesOf(r));
      return element("tr", { "data-policy": s.tag, class: s.kind }, [
        pmean.panel.rowHead(s.kind, s.label),
        element("td", { class: "regret", "data-exact": r.exact.has(state.p) ? "yes" : "no" },
          [words(e, 5)]),
        element("td", { class: "half" }, [whole(half)]),
        element("td", {}, [s.policy.capped ? "all of T" : whole(s.policy.T_tilde)]),
        element("td", { class: "best-part" }, [percent(r.pulls[s.instance.best] / r.T)])
      ]);
    }

    // ---- one run -------------------------------------------------------------------

    function drawRun({ mu }) {
      const s = active.find((one) => one.slot === Number(state.shown)) || active[0];
      if (!s) return;
      const wanted = s.key + state.run;
      if (wanted !== runKey || !rollView.fits()) {
        try {
          run = engine.trace(s.setting, state.run - 1);
        } catch (error) {
          why.textContent = error.message;
          return;
        }
        runKey = wanted;
        rollView.show(run, mu);
      }
      pointRound(s, mu);
    }
    function pointRound(s, mu) {
      const t = state.round, known = run.at(t - 1);
      rollView.point(t);
      tubeView.show(known, mu);
      oneRun.className = "charts " + s.kind;
      why.textContent = reason(s, known, t);
    }
    /** Why this arm was chosen, in a sentence. */
    function reason(s, known, t) {
      const i = known.arm, arm = `arm ${i + 1}`, paid = `It pays ${views.short3(known.reward)}.`;
      const seen = known.pulls[i] ? `${arm} has paid ${number(known.mu_hat[i], 3)} on average in `
        + `${whole(known.pulls[i])} ${known.pulls[i] === 1 ? "pull" : "pulls"}` : `${arm} was never pulled`;
      const head = `Round ${whole(t)} of run ${whole(state.run)}, ${s.name}: `;
      if (known.phase === "explore") {
        return `${head}${arm}, by chance: the policy explores, and no index is asked. ${paid}`;
      }
      if (known.phase === "first") {
        return `${head}${arm}, because it was never pulled: its index is infinite. ${paid}`;
      }
      const second = Math.max(...[...known.index].filter((_, j) => j !== i));
      return `${head}${arm}. ${seen[0].toUpperCase()}${seen.slice(1)}; its index `
        + `${number(known.index[i], 3)} is the greatest, the next is ${number(second, 3)}. ${paid}`;
    }

    // ---- everything ----------------------------------------------------------------

    /** What does not take long, at once; the rest when the screen is ready for it. */
    function update() {
      const mu = meansOf(state);
      armsView.show(mu);
      instances.show(Object.keys(told.instances).find((key) => (
        Object.entries(told.instances[key].at).every(([f, v]) => state[f] === v))) || "own");
      pmean.panel.allow(fewer, mu.length > 2);
      pmean.panel.allow(more, mu.length < told.most);
      simulate();
      cards.forEach(describe);
      program.textContent = active.length ? programText() : "";
      panel.ready(false);
      later(...Object.keys(TASKS));
      return sentence;
    }
    const TASKS = {
      curves({ series, mu, muStar, final, waiting }) {
        const top = views.roof(muStar * 1.02 || 1);
        const key = [top, state.horizon, room(time), ...active.map((s) => s.kind)].join();
        if (parts?.key !== key) build(key, top);
        if (waiting) return; // what was drawn last stands a little longer
        curves(series, muStar, final);
        pullsView.show(mu.length, series.map(({ kind, result: r }) => (
          { kind, T: r.T, pulls: r.pulls })));
      },
      mark, read, names: () => { if (parts.names) names(); }, refine, run: drawRun
    };
    function later(...names) {
      names.forEach((name) => dirty.add(name));
      if (!coming) requestAnimationFrame(frame);
      coming = true;
    }
    /** Do as much as fits into a frame, in turns: what becomes due again waits for the rest. */
    function frame() {
      const until = performance.now() + 8, seen = look(), { series, final, waiting } = seen;
      coming = false;
      if (dirty.delete("curves")) TASKS.curves(seen); // the others draw on its axes
      for (const name of waiting ? [] : dirty) {
        dirty.delete(name);
        TASKS[name](seen);
        if (performance.now() > until) break;
      }
      const all = series.length === active.length;
      const runs = all && active.length ? Math.min(...series.map((s) => s.result.runs)) : 0;
      progress.value = runs / state.runs;
      done.textContent = `${whole(runs)} of ${whole(state.runs)} runs`;
      if (waiting) return;
      if (dirty.size) later();
      else {
        wantExact(series);
        const failed = active.every((s) => s.result);
        panel.ready(failed && final && series.every((s) => s.result.exact.has(state.p)));
      }
    }
    /** What is known now of the policies that are shown. */
    function look() {
      const mu = meansOf(state), series = active.filter((s, place) => {
        Object.assign(s, { place, result: results.get(s.key) });
        if (s.result?.error) complain(cards[s.slot - 1], s.result.error);
        return s.result && !s.result.error;
      });
      return {
        mu, series, muStar: Math.max(...mu), final: series.every((s) => s.result.done),
        waiting: !series.length && active.some((s) => !s.result) // nothing is known yet
      };
    }
    /** What is wrong with a policy, or nothing; an alert is heard whenever it is written. */
    function complain({ wrong }, message) {
      if (wrong.textContent !== message) wrong.textContent = message;
    }
    /** What a card says while it is folded, and which of its controls matter. */
    function describe(card) {
      const s = active.find((one) => one.slot === card.n), key = state["policy" + card.n];
      complain(card, results.get(s?.key)?.error || "");
      card.node.classList.toggle("unused", key === "none");
      card.formula.hidden = key !== "own";
      card.folded.hidden = key === "none";
      if (!s) return;
      const { controls } = card, { policy } = s, width = asksWidth(state, card.n);
      controls.width.hidden = !width;
      controls.tuned.hidden = key !== "eucb";
      card.words.textContent = (width ? `width ${number(state["width" + card.n], 1)}, ` : "")
        + (policy.capped ? "explores to the end"
          : policy.T_tilde ? `explores ${whole(policy.T_tilde)} rounds`
            : `tries each arm once, ${policy.order === "random" ? "shuffled" : "in order"}`);
    }

    // ---- highlighting --------------------------------------------------------------

    function light(kind) {
      if (kind === lit) return;
      lit = kind;
      SLOTS.forEach((n) => box.classList.toggle("lit-s" + n, kind === "s" + n));
    }
    const kindOf = (node) => SLOTS.map((n) => "s" + n)
      .find((kind) => node.closest?.("." + kind) && !node.closest(".stepping"));
    ["pointerover", "focusin"].forEach((name) => box.addEventListener(name, (event) => {
      if (!event.target.closest("svg.across")) light(kindOf(event.target) || null);
    }));
    ["pointerleave", "focusout"].forEach((name) => box.addEventListener(name, () => light(null)));

    // ---- the same in Python --------------------------------------------------------

    function programText() {
      return pmean.snippet(active.map((s) => s.setting)).trimEnd()
        + `\nfor name, profile in profiles.items():\n    print(name, pm.measured_regret(profile, p=${state.p}))\n`;
    }

    // ---- begin ---------------------------------------------------------------------

    const [presets, prompt] = panel.questions(STORIES);
    const part = (words, more = "") => element("p", { class: "part" + more }, [words]);
    panel.begin(presets, prompt, part("The bandit"), bandit, arms, part("The policies", " by-hand"), policies,
      part("Who pays?"), turn, bar, charts, element("div", { class: "reading-box" }, [reading]), warning,
      part("One run, round by round"), stepping, oneRun, why, code);
  }

  pmean.panel.start("laboratory", laboratory);
})();
