"""What a reader would suffer on an open page, and how readers move what is on it.

A constant in capitals is a script for `page.evaluate`; most give complaints.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from bookkit.make import chromium

ROOT = Path(__file__).parents[2]

HTML = ROOT / "_build" / "html"
SCREENS = {
    "wide": (1400, 900),
    "laptop": (1280, 800),
    "phone": (390, 844),
    "A4": (794, 1123),
    "small": (320, 256),  # a window of 1280 x 1024 pixels at 400 %
}
SERIOUS = ("serious", "critical")
AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf8")
COLOUR = ["color-contrast", "link-in-text-block"]  # the rules a colour scheme can break

# After a resize: wait until what scrolls can be reached with the keyboard.
# book.js marks what scrolls 150 ms after a resize. This timer is set later than its
# own, with the same delay, and timers come in order: this is no guess at how long.
MARKED = "() => new Promise(r => requestAnimationFrame(() => setTimeout(r, 150)))"
# Every text of a page makes axe parse some thirty colours, the same few over and over,
# and parsing is most of what it does. What it has parsed once it need not parse again.
REMEMBER_COLOURS = """() => {
    const colour = axe.commons.color.Color.prototype, parse = colour.parseString;
    const known = new Map();
    colour.parseString = function (text) {
        if (!known.has(text)) {
            parse.call(this, text);
            known.set(text, [this.r, this.g, this.b, this.alpha]);
        }
        [this.r, this.g, this.b, this.alpha] = known.get(text);
        return this;
    };
}"""
# Show each formula as text and each kind of code once; only a reload undoes it.
# MathJax's glyphs have the colour of the text around them, and the same few kinds of
# code come over and over: axe would spend most of its time on them.
SHORTEN = """() => {
    document.querySelectorAll("mjx-container").forEach(e => e.replaceWith("x"));
    const seen = new Set();
    document.querySelectorAll("pre span:not(:has(*))").forEach(e => {
        const around = [e, e.closest("[class*=highlight-]"), e.closest(".admonition")];
        const kind = around.map(x => x?.className).join("|");
        if (seen.has(kind)) e.replaceWith(e.textContent);
        seen.add(kind);
    });
    document.body.normalize();
}"""
# axe need not fetch style sheets again (preload): they matter to one rule, on turning.
RUN_AXE = """async options => {
    document.getAnimations().filter(a => a instanceof CSSTransition)
        .forEach(a => a.finish());
    const result = await axe.run(
        document, {resultTypes: ["violations"], preload: false, ...options});
    return result.violations.flatMap(v => v.nodes.map(n => [v.impact, v.id,
        n.target.join(" "), [...n.any, ...n.all, ...n.none].map(c => c.message)[0]]));
}"""
SIDEWAYS = """() => {
    const {scrollWidth, clientWidth} = document.documentElement;
    return scrollWidth > clientWidth + 1
        ? [`scrolls sideways: ${scrollWidth} on a screen of ${clientWidth}`] : [];
}"""
# Charts beyond the edges of the screen, and scripts that hold up the page
EXPLORER = """() => {
    const charts = [...document.querySelectorAll(".explorer-box svg")]
        .map(e => e.getBoundingClientRect());
    const outside = charts.filter(
        e => !(0 <= e.left && e.left < e.right && e.right <= innerWidth));
    const slow = [...document.querySelectorAll("script[src*=explorer]")]
        .filter(e => !e.hasAttribute("defer"));
    return [
        ...(charts.length ? [] : ["an explorer without a chart"]),
        ...outside.map(e => `a chart from ${e.left} to ${e.right} of ${innerWidth}`),
        ...slow.map(e => "holds up the page: " + e.src)];
}"""
# Displays wider than their column, folded ones aside
CUT = """() => [...document.querySelectorAll("div.math")]
    .filter(e => e.offsetParent && !e.closest("details:not([open])")
                 && e.scrollWidth > e.clientWidth + 2)
    .map(e => `a formula of ${e.scrollWidth} px in ${e.clientWidth}, near #`
              + (e.closest("[id]") || {}).id)"""
# What a keyboard cannot scroll, and stops for nothing or without a name
STOPS = """() => {
    const complaints = [], shown = e => e.checkVisibility() && e.clientWidth;
    const scrolls = e => e.scrollWidth > e.clientWidth + 1
        && /auto|scroll/.test(getComputedStyle(e).overflowX);
    const say = (e, what) => complaints.push(
        `${what}: ${e.tagName} ${e.className} near #${(e.closest("[id]") || {}).id}`);
    for (const e of document.querySelectorAll("article *")) {
        if (e.closest("mjx-container, .explorer") || !shown(e)) continue;
        const stop = e.getAttribute("tabindex") === "0";
        if (scrolls(e) && !stop) say(e, "scrolls out of reach");
        if (stop && !scrolls(e)) say(e, "a stop for nothing");
        if (stop && !e.matches("figure") && !e.getAttribute("aria-label"))
            say(e, "a stop without a name");
    }
    return complaints;
}"""
WATCH = """
window.moved = 0;
new PerformanceObserver(list => {
    for (const shift of list.getEntries())
        if (!shift.hadRecentInput) moved += shift.value;
}).observe({type: "layout-shift", buffered: true});
"""
# What a page has loaded, and how far it moved
OPENED = """async () => {
    await document.fonts.ready;
    await new Promise(r => requestAnimationFrame(() => setTimeout(r, 300)));
    const loaded = ["navigation", "resource"].flatMap(
        kind => performance.getEntriesByType(kind));
    return {
        requests: loaded.length,
        bytes: loaded.reduce((sum, e) => sum + e.decodedBodySize, 0),
        shift: moved,
    };
}"""
# Buttons and menus that would be on the paper; the page must be in print media
FURNITURE = """() => [...document.querySelectorAll(
    "button, input, select, dialog, .bd-sidebar, .bd-header, .bd-header-article, "
    + ".headerlink, .prev-next-footer, .bd-footer")]
    .filter(e => e.checkVisibility({visibilityProperty: true, opacityProperty: true})
        && e.getClientRects().length)
    .map(e => `printed furniture: ${e.tagName} ${e.className} ${e.id}`)"""

# What every control of an explorer is set to
STATE = """() => [...document.querySelectorAll(".explorer :is(input, select)")]
    .map(e => e.value).join("|")"""


class Visit(NamedTuple):
    """An open page, what it loaded, and what went wrong so far."""

    page: object
    loaded: list[str]
    complaints: list[str]

    def resize(self, screen: str) -> None:
        width, height = SCREENS[screen]
        self.page.set_viewport_size({"width": width, "height": height})

    def go(self, url: str, screen: str, scheme: str) -> None:
        """Load a page on a screen of this size, with its fonts."""
        self.resize(screen)
        self.page.emulate_media(media="null", color_scheme=scheme)
        self.page.goto(url, wait_until="load")
        if missing := chromium.untypeset(self.page):
            self.complaints.append(f"{missing} formulas are not typeset")


def listeners(visit: Visit, home: str) -> dict[str, Callable]:
    """For each event of a page, what notes it down; errors become complaints."""
    complain = visit.complaints.append

    def request(r):
        visit.loaded.append(r.url.split("?")[0].split("#")[0])
        if not r.url.startswith((home, "data:", "blob:")):
            complain(f"foreign request: {r.url}")

    def response(r):
        if r.status >= 400:
            complain(f"status {r.status}: {r.url}")

    def console(m):
        if m.type in ("error", "warning"):
            complain(f"console {m.type}: {m.text} ({m.location['url']})")

    def failed(r):
        if r.failure != "net::ERR_ABORTED":  # so ends what a page left had begun
            complain(f"failed request: {r.url} ({r.failure})")

    return {
        "request": request,
        "requestfailed": failed,
        "response": response,
        "console": console,
        "pageerror": lambda e: complain(f"script error: {e}"),
    }


@contextmanager
def heard(visit: Visit, home: str) -> Iterator[None]:
    """Collect what the page loads; every error on the way fails the test."""
    by_event = listeners(visit, home)
    for event, listener in by_event.items():
        visit.page.on(event, listener)
    yield
    for event, listener in by_event.items():
        visit.page.remove_listener(event, listener)
    assert not visit.complaints, "\n".join(visit.complaints)


def load_axe(page) -> None:
    """Bring axe into the page, unless it is there already."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE + "; 0")
        page.evaluate(REMEMBER_COLOURS)


def axe(page, **options) -> list[str]:
    """Serious and critical violations; a page that was shortened is much faster."""
    load_axe(page)
    found = page.evaluate(RUN_AXE, options)
    return [": ".join(map(str, f)) for f in found if f[0] in SERIOUS]


def turn(page, label: str, value: float) -> None:
    """Set a slider as dragging it does."""
    page.get_by_label(label, exact=True).evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }", value
    )


def choose(page, label: str, value: str) -> None:
    page.get_by_label(label, exact=True).select_option(value)


def drag(node, start: tuple[float, float], end: tuple[float, float]) -> None:
    """With the mouse; places are in parts of the node's width and height."""
    node.scroll_into_view_if_needed()
    box, mouse = node.bounding_box(), node.page.mouse

    def at(x, y):
        return box["x"] + x * box["width"], box["y"] + y * box["height"]

    mouse.move(*at(*start))
    mouse.down()
    mouse.move(*at(*end), steps=5)
    mouse.up()
