/* People as bars that can be dragged, the p-mean as a level across them, and below each how
 * much it counts. A part of two explorers. Needs maths.js, chart.js; adds pmean.people. */
pmean.people = (function () {
  "use strict";
  const maths = pmean.maths, draw = pmean.chart;
  const { element, set, number, short, percent, GRIP } = draw;
  const HALF = 0.36, STRIP = 84; // half a bar; pixels
  const NUMBERS = ["none", "one", "two", "three", "four", "five", "six"];

  /** The fields of a state that has these people: what each of them gets. */
  function fields(told) {
    const made = {}, [min, max] = told.outcomes;
    told.values.forEach((value, i) => {
      made["u" + (i + 1)] = {
        label: `${told.one} ${i + 1}`, value, min, max, step: told.step,
        show: (v) => [number(v, told.digits), told.short].filter(Boolean).join(" ")
      };
    });
    return made;
  }

  /** What each of them gets, as a part of a state. */
  function given(values) {
    return Object.fromEntries(values.map((v, i) => ["u" + (i + 1), v]));
  }

  function people(panel, told) {
    const keys = told.values.map((_, i) => "u" + (i + 1)), n = keys.length;
    const [least, greatest] = told.outcomes;
    const left = element("div"), right = element("div");
    const node = element("div", { class: "charts people" }, [left, right]);
    const mean = element("strong", { class: "level" }), average = element("span");
    const rows = element("div", { class: "controls rows" });
    let parts = null;
    right.append(element("p", { class: "sentence" }, [
      "As good as ", mean, ` ${told.short ? told.unit : ""} for each of the ${NUMBERS[n]}. `
      + "On average they get ", average, "."
    ]), rows);
    keys.forEach((key, i) => { panel.control(rows, key).dataset.person = i; });

    function values(state) { return keys.map((key) => state[key]); }

    /** What depends on the width alone: axes, and a group for each person. */
    function build() {
      const ticks = [];
      for (let v = 0; v <= greatest * 1.001; v += told.tick) ticks.push([v, short(v)]);
      const width = draw.widthOf(left), plot = draw.chart({
        width, height: 250, x: [0.5, n + 1.4], y: [0, greatest * 1.08], bars: true,
        xTicks: keys.map((_, i) => [i + 1, String(i + 1)]), yTicks: ticks,
        xLabel: told.one, yLabel: told.unit,
        title: `What each ${told.one} gets, and the p-mean as a level across`
      });
      const strip = draw.picture(width, STRIP,
        `Share of the ${told.weight} that p gives to each ${told.one}`);
      const caption = element("text", { x: plot.margin.left, y: 14, class: "label" });
      const levels = element("g", { class: "levels" });
      strip.append(caption);
      const groups = keys.map((_, i) => {
        const x = plot.x(i + 1 - HALF), wide = plot.x(i + 1 + HALF) - x, middle = plot.x(i + 1);
        const part = {
          bar: element("rect", { class: "bar", x, width: wide }),
          handle: element("rect", { class: "handle", x: middle - 12, width: 24, height: 5, rx: 2 }),
          grip: draw.grip({ x, width: wide }),
          heard: element("rect", { class: "heard", x, width: wide }),
          share: element("text", { class: "share", x: middle, y: STRIP - 4, "text-anchor": "middle" })
        };
        plot.svg.append(element("g", { "data-person": i }, [part.bar, part.handle, part.grip]));
        strip.append(element("g", { "data-person": i }, [part.heard, part.share]));
        return part;
      });
      plot.svg.append(levels);
      plot.svg.classList.add("upright");
      draw.drag(plot.svg, ([x]) => {
        const i = keys.findIndex((_, j) => Math.abs(plot.x(j + 1) - x) <= plot.x(HALF) - plot.x(0));
        return i < 0 ? null : [plot.x(i + 1), plot.y(panel.state[keys[i]]), keys[i]];
      }, (held, [, y]) => {
        const steps = Math.round(plot.y.back(y) / told.step);
        const value = Number((steps * told.step).toFixed(6));
        panel.set({ [held[2]]: Math.min(greatest, Math.max(least, value)) });
      });
      left.replaceChildren(plot.svg, strip);
      return { plot, groups, levels, caption };
    }

    /** A line across the bars; the last line of its name stands at the height `end`. */
    function level(value, name, kind, end) {
      const plot = parts.plot, y = plot.y(value), x = plot.x(n + 0.5);
      return element("g", { class: kind }, [
        element("line", { x1: plot.margin.left, x2: plot.width - plot.margin.right, y1: y, y2: y }),
        element("text", { x, y: end - 13 }, [name]),
        element("text", { x, y: end }, [number(value, 2)])
      ]);
    }

    /** The same person stands out wherever it appears. */
    function light(name) {
      node.querySelectorAll("[data-person]").forEach((one) => {
        one.classList.toggle("lit", one.dataset.person === name);
      });
    }
    ["pointerover", "focusin"].forEach((kind) => {
      node.addEventListener(kind, (event) => {
        const one = event.target.closest("[data-person]");
        light(one ? one.dataset.person : null);
      });
    });
    ["pointerleave", "focusout"].forEach((kind) => {
      node.addEventListener(kind, () => light(null));
    });

    return {
      node,
      /** Draw this state; returns what it shows, in words. */
      update(state) {
        const u = values(state), p = state.p;
        const level_p = maths.pMean(u, p), level_1 = maths.pMean(u, 1), shares = maths.shares(u, p);
        if (!draw.fits(parts?.plot, left)) parts = build();
        const plot = parts.plot, floor = plot.y(0);
        u.forEach((value, i) => {
          const part = parts.groups[i], top = plot.y(value), tall = 44 * shares[i];
          set(part.bar, { y: top, height: floor - top, "fill-opacity": 0.12 + 0.8 * shares[i] });
          set(part.grip, { y: top - GRIP / 2 });
          set(part.handle, { y: Math.min(top + 4, floor - 6) });
          set(part.heard, { y: STRIP - 18 - tall, height: tall });
          part.share.textContent = percent(shares[i]);
        });
        parts.caption.textContent = `share of the ${told.weight} at p = ${short(p)}`;
        const line = plot.y(level_p), end = line + 28 < floor ? line + 28 : line - 6;
        parts.levels.replaceChildren(
          level(level_1, "average", "average", Math.min(plot.y(level_1) - 6, end - 27)),
          level(level_p, "p-mean", "mean", end));
        mean.textContent = number(level_p, 3);
        average.textContent = number(level_1, 3);
        return `At p = ${short(p)} the p-mean of ${u.map((v) => number(v, told.digits)).join(", ")}`
          + ` (${told.unit}) is ${number(level_p, 3)}, the average ${number(level_1, 3)}; of the`
          + ` ${told.weight} the ${told.many} have ${Array.from(shares, percent).join(", ")}.`;
      }
    };
  }

  return { people, fields, given };
})();
