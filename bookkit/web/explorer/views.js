/* Pictures of the laboratory: arms that can be dragged, pulls by arm, one run as rows of
 * rounds, and the tubes of its indices. Needs chart.js; adds pmean.views. */
pmean.views = (function () {
  "use strict";
  const draw = pmean.chart, { element, set, whole, GRIP, widthOf } = draw;
  const LEVELS = 4; // shades of a row of rounds
  const TOPS = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 8, 12, 20, 50, 100, 1e3, 1e4];

  /** Ticks 0, ..., top, some four or five of them. */
  function ticks(top, low = 0) {
    const span = top - low, size = 10 ** Math.floor(Math.log10(span));
    const step = [0.2, 0.5, 1, 2].map((s) => s * size).find((s) => span / s <= 5.5);
    const found = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= top * 1.0001; i++) {
      found.push([i * step, short3(i * step)]);
    }
    return found;
  }
  const short3 = (v) => (Math.abs(v) >= 1e4 ? draw.signed(v.toExponential(0))
    : draw.signed(String(Number(v.toPrecision(3)))));
  /** The least of the usual heights that has room for a value. */
  const roof = (v) => TOPS.find((top) => v <= top * 1.0001) || v;
  /** A name below every arm, or below every few where there are many. */
  function armTicks(k, wide) {
    const every = Math.ceil(k / Math.max(1, Math.floor(wide / 24)));
    return Array.from({ length: k }, (_, i) => [i + 1, i % every ? "" : String(i + 1)]);
  }
  /** How good an arm is among these, from 0 to 100 %: the bad ones glow. */
  function shade(mu, i) {
    const best = Math.max(...mu), least = Math.min(...mu);
    return `--good: ${best > least ? Math.round(100 * (mu[i] - least) / (best - least)) : 100}%`;
  }

  // ---- arms ------------------------------------------------------------------------

  /** Bars to drag or to move with the arrow keys; `changed(arm, mean)` hears of it. */
  function arms(node, changed) {
    let plot = null, groups = [], now = [];
    function build(k) {
      const width = widthOf(node);
      plot = draw.chart({
        width, height: 210, x: [0.4, k + 0.6], y: [0, 1.04], bars: true,
        xTicks: armTicks(k, width - 70), yTicks: ticks(1), xLabel: "arm",
        yLabel: "mean reward", title: "The arms and their mean rewards; drag a bar"
      });
      plot.k = k;
      plot.svg.setAttribute("role", "group"); // what is in it can be reached
      const half = Math.min(0.38, 26 / (plot.x(1) - plot.x(0)));
      groups = Array.from({ length: k }, (_, i) => {
        const x = plot.x(i + 1 - half), wide = plot.x(i + 1 + half) - x;
        const reach = plot.x(1) - plot.x(0);
        const part = {
          bar: element("rect", { class: "bar", x, width: wide }),
          handle: element("rect", {
            class: "handle", x: x + wide / 2 - Math.min(9, wide / 2 - 1),
            width: Math.min(18, wide - 2), height: 4, rx: 2
          }),
          value: element("text", {
            x: x + wide / 2, "text-anchor": "middle", "font-size": k > 10 ? "9" : "11"
          }),
          grip: draw.grip({ x: x + wide / 2 - reach / 2, width: reach })
        };
        part.group = element("g", {
          class: "arm", role: "slider", tabindex: "0", "aria-label": `mean of arm ${i + 1}`,
          "aria-valuemin": "0", "aria-valuemax": "1", "aria-orientation": "vertical"
        }, [part.bar, part.handle, part.value, part.grip]);
        part.group.addEventListener("keydown", (event) => {
          const to = {
            ArrowUp: now[i] + 0.01, ArrowRight: now[i] + 0.01, ArrowDown: now[i] - 0.01,
            ArrowLeft: now[i] - 0.01, PageUp: now[i] + 0.1, PageDown: now[i] - 0.1, Home: 0, End: 1
          }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          changed(i, round(to));
        });
        plot.svg.append(part.group);
        return part;
      });
      plot.svg.classList.add("upright", "arms");
      draw.drag(plot.svg, ([x]) => {
        const i = Math.round(plot.x.back(x)) - 1;
        return i >= 0 && i < k ? [plot.x(i + 1), plot.y(now[i]), i] : null;
      }, (held, [, y]) => changed(held[2], round(plot.y.back(y))));
      node.replaceChildren(plot.svg);
    }
    const round = (v) => Math.min(1, Math.max(0, Number(v.toFixed(2))));
    return {
      show(mu) {
        now = mu;
        if (plot?.width !== widthOf(node) || plot.k !== mu.length) build(mu.length);
        const floor = plot.y(0);
        mu.forEach((value, i) => {
          const part = groups[i], top = plot.y(value);
          set(part.bar, { y: top, height: floor - top, style: shade(mu, i) });
          set(part.handle, { y: Math.min(top + 3, floor - 6) });
          set(part.grip, { y: top - GRIP / 2 });
          set(part.value, { y: top - 5 });
          part.value.textContent = mu.length > 14 ? "" : short3(value).replace(/^0\./, ".");
          set(part.group, { "aria-valuenow": String(value), "aria-valuetext": short3(value) });
        });
      }
    };
  }

  // ---- pulls -----------------------------------------------------------------------

  /** How many of the rounds each policy gives to each arm. */
  function pulls(node) {
    let plot = null;
    return {
      show(k, series) {
        const width = widthOf(node);
        if (plot?.width !== width || plot.k !== k) {
          plot = draw.chart({
            width, height: 210, x: [0.4, k + 0.6], y: [0, 1], bars: true,
            xTicks: armTicks(k, width - 70),
            yTicks: [[0, "0"], [0.25, "25 %"], [0.5, "50 %"], [0.75, "75 %"], [1, "100 %"]],
            xLabel: "arm", yLabel: "part of the rounds",
            title: "The part of the rounds that each policy gives to each arm"
          });
          plot.k = k;
          node.replaceChildren(plot.svg);
        }
        const step = (plot.x(1) - plot.x(0)) * 0.8 / Math.max(1, series.length);
        plot.layer.replaceChildren(...series.map((s, j) => {
          let d = "";
          for (let i = 0; i < k; i++) {
            const x = plot.x(i + 1) + (j - series.length / 2) * step;
            d += `M${x.toFixed(1)} ${plot.y(0)}V${plot.y(s.pulls[i] / s.T).toFixed(1)}`
              + `h${Math.max(1, step - 1).toFixed(1)}V${plot.y(0)}z`;
          }
          return element("path", { d, class: "bars " + s.kind });
        }));
      }
    };
  }

  // ---- one run ---------------------------------------------------------------------

  /** A row for each arm, time from left to right: dark where the arm is played. */
  function roll(node, moved) {
    let plot = null, needle = null;
    return {
      /** Draw a run. */
      show(run, mu) {
        const { T } = run, k = mu.length, width = widthOf(node);
        plot = draw.chart({
          width, height: Math.max(224, 74 + 15 * k), x: [1, T + 1], logX: true, y: [k + 0.5, 0.5],
          xTicks: draw.decades(0, Math.floor(Math.log10(T))),
          yTicks: mu.map((_, i) => [i + 1, k > 12 && i % 2 ? "" : String(i + 1)]),
          xLabel: "round t", yLabel: "arm", margin: { top: 22 },
          title: "One run: which arm each round plays"
        });
        // a bin for each round at first, then one for every few pixels
        const ends = [1], left = plot.margin.left;
        while (ends.at(-1) < T + 1) {
          const wide = plot.x.back(plot.x(ends.at(-1)) + 3);
          ends.push(Math.min(T + 1, Math.max(ends.at(-1) + 1, Math.floor(wide))));
        }
        const high = Math.abs(plot.y(1) - plot.y(2)) * 0.8;
        const paths = mu.map(() => Array.from({ length: LEVELS }, () => ""));
        for (let b = 0; b + 1 < ends.length; b++) {
          const counts = new Float64Array(k), n = ends[b + 1] - ends[b];
          for (let t = ends[b]; t < ends[b + 1]; t++) counts[run.arms[t - 1]] += 1 / n;
          const x = plot.x(ends[b]), wide = plot.x(ends[b + 1]) - x;
          counts.forEach((share, i) => {
            if (!share) return;
            paths[i][Math.min(LEVELS - 1, Math.floor(share * LEVELS))]
              += `M${x.toFixed(1)} ${(plot.y(i + 1) - high / 2).toFixed(1)}h${wide.toFixed(1)}`
                + `v${high.toFixed(1)}h${(-wide).toFixed(1)}z`;
          });
        }
        paths.forEach((shades, i) => shades.forEach((d, level) => {
          if (d) {
            plot.layer.append(element("path", {
              d, class: "played", style: shade(mu, i), "fill-opacity": String((level + 1) / LEVELS)
            }));
          }
        }));
        if (run.explored > 0 && run.explored < T) {
          const x = plot.x(run.explored + 1);
          const late = x > (left + width) / 2;
          plot.layer.append(element("line", {
            x1: x, x2: x, y1: plot.margin.top, y2: plot.y(k + 0.5), class: "note-line"
          }), element("text", {
            x: x + (late ? -5 : 5), y: plot.margin.top - 8, class: "note",
            "text-anchor": late ? "end" : "start"
          }, [`exploring ends after ${whole(run.explored)}`]));
        }
        needle = plot.needle((t) => moved(Math.min(T, Math.max(1, Math.floor(t)))));
        node.replaceChildren(plot.svg);
      },
      point(t) { needle(Math.sqrt(t * (t + 1))); },
      fits: () => plot?.width === widthOf(node)
    };
  }

  /** What a policy knew of each arm: its mean so far, and above it a tube to its index. */
  function tubes(node) {
    let plot = null;
    return {
      show(known, mu) {
        const k = mu.length, width = widthOf(node);
        const finite = [...known.index].filter(isFinite);
        const top = roof(Math.max(1, ...finite));
        const low = Math.min(0, ...finite.map((v) => (v < 0 ? -roof(-v) : 0)));
        plot = draw.chart({
          width, height: Math.max(224, 74 + 15 * k), x: [0.4, k + 0.6], y: [low, top * 1.06],
          bars: true, xTicks: armTicks(k, width - 70), yTicks: ticks(top, low), xLabel: "arm",
          yLabel: "mean so far, index", margin: { top: 22 },
          title: "What the policy knows before this round: the mean so far of each arm and "
            + "above it, as a tube, its index"
        });
        const half = Math.min(14, (plot.x(1) - plot.x(0)) * 0.36);
        for (let i = 0; i < k; i++) {
          const x = plot.x(i + 1), unseen = !known.pulls[i];
          const high = plot.y(isFinite(known.index[i]) ? known.index[i] : top * 1.06);
          const mean = plot.y(unseen ? 0 : known.mu_hat[i]);
          const group = element("g", { class: i === known.arm ? "tube chosen" : "tube" }, [
            element("rect", {
              x: x - half, width: 2 * half, y: Math.min(high, mean),
              height: Math.max(1, Math.abs(mean - high)), rx: 4, style: shade(mu, i)
            }),
            element("line", { x1: x - half, x2: x + half, y1: plot.y(mu[i]), y2: plot.y(mu[i]),
              class: "true-mean" })
          ]);
          if (unseen) {
            group.append(element("text", { x, y: plot.margin.top - 4, "text-anchor": "middle" },
              ["\u221e"]));
          } else group.append(element("circle", { cx: x, cy: mean, r: 3.5 }));
          plot.layer.append(group);
        }
        node.replaceChildren(plot.svg);
      }
    };
  }

  return { arms, pulls, roll, tubes, ticks, roof, short3 };
})();
