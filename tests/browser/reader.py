"""What a reader would suffer on an open page; every function returns complaints."""

from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"
SCREENS = {"wide": (1400, 900), "phone": (390, 844), "A4": (794, 1123)}
SERIOUS = ("serious", "critical")
AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf8")
COLOUR = ["color-contrast", "link-in-text-block"]  # the rules a colour scheme can break

# axe needs half a minute for a long chapter, most of it for the contrast of MathJax's
# glyphs, which have the colour of the text around them, and of the same few kinds of
# code over and over. It is shown each formula as text and each kind of code once.
# It need not fetch style sheets again (preload): they matter to one rule, on turning.
RUN_AXE = """async options => {
    document.querySelectorAll("mjx-container").forEach(e => e.replaceWith("x"));
    const seen = new Set();
    document.querySelectorAll("pre span:not(:has(*))").forEach(e => {
        const around = [e, e.closest("[class*=highlight-]"), e.closest(".admonition")];
        const kind = around.map(x => x?.className).join("|");
        if (seen.has(kind)) e.replaceWith(e.textContent);
        seen.add(kind);
    });
    document.body.normalize();
    document.getAnimations().filter(a => a instanceof CSSTransition)
        .forEach(a => a.finish());
    const result = await axe.run(
        document, {resultTypes: ["violations"], preload: false, ...options});
    return result.violations.flatMap(v => v.nodes.map(n => [v.impact, v.id,
        n.target.join(" "), [...n.any, ...n.all, ...n.none].map(c => c.message)[0]]));
}"""
RAW = r"""() => {
    const text = document.querySelector("main").cloneNode(true);
    text.querySelectorAll("pre, code, script, style, mjx-container")
        .forEach(e => e.remove());
    const markup = /(`{3,}|:{3,})\{|\{[a-z]+(:[a-z]+)?\}`|\$\$|\\[(\[]|\\begin\{/g;
    return [...text.textContent.matchAll(markup)].map(
        m => "raw markup: " + text.textContent.slice(m.index, m.index + 60));
}"""
SIDEWAYS = """() => {
    const {scrollWidth, clientWidth} = document.documentElement;
    return scrollWidth > clientWidth + 1
        ? [`scrolls sideways: ${scrollWidth} on a screen of ${clientWidth}`] : [];
}"""
NO_ALT = """() => [...document.querySelectorAll("article img")]
    .filter(e => !e.alt.trim()).map(e => "no alternative text: " + e.src)"""
FURNITURE = """() => [...document.querySelectorAll(
    "button, input, select, dialog, .bd-sidebar, .bd-header, .bd-header-article, "
    + ".headerlink, .prev-next-footer, .bd-footer")]
    .filter(e => e.checkVisibility({visibilityProperty: true, opacityProperty: true})
        && e.getClientRects().length)
    .map(e => `printed furniture: ${e.tagName} ${e.className} ${e.id}`)"""


def raw_markup(page) -> list[str]:
    return page.evaluate(RAW)


def sideways(page) -> list[str]:
    return page.evaluate(SIDEWAYS)


def images_without_words(page) -> list[str]:
    return page.evaluate(NO_ALT)


def printed_furniture(page) -> list[str]:
    """Buttons and menus that would be on the paper; the page must be in print media."""
    return page.evaluate(FURNITURE)


def axe(page, **options) -> list[str]:
    """Serious and critical violations; afterwards the formulas are gone."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE + "; 0")
    found = page.evaluate(RUN_AXE, options)
    return [": ".join(map(str, f)) for f in found if f[0] in SERIOUS]
