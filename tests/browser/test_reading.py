"""How a page reads: its lines, its scale, what is cited, and how it is reached."""

import pytest
import reader

SMALL = {"width": 320, "height": 256}  # a window of 1280 x 1024 pixels at 400 %

# Where a text begins with punctuation it stands right of what comes before, else it is
# the first thing on a line of its own.
ORPHANS = r"""() => {
    const complaints = [], range = document.createRange();
    for (const block of document.querySelectorAll(
            "article :is(p, li, td, dd, figcaption)")) {
        const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
            if (!/^[.,;:!?)\]’”]/.test(text.data)) continue;
            if (text.parentElement.closest("mjx-container, pre")) continue;
            range.setStart(text, 0);
            range.setEnd(text, 1);
            const here = range.getBoundingClientRect();
            const before = text.previousSibling || text.parentElement.previousSibling;
            if (!before || !here.width) continue;
            range.selectNode(before);
            const there = [...(before.getClientRects ? before : range)
                .getClientRects()].pop();
            if (there && here.left < there.left)
                complaints.push(`a line begins with "${text.data.slice(0, 20)}" in: `
                    + block.textContent.trim().slice(0, 40));
        }
    }
    return complaints;
}"""
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
# Sizes, and the room between a box and what is in it, above and below.
SCALE = """() => ["h1", "h2", "h3"].map(h => {
    const e = document.body.querySelector("article").appendChild(
        document.createElement(h));
    const {fontSize, fontWeight} = getComputedStyle(e);
    e.remove();
    return [parseFloat(fontSize), parseFloat(fontWeight)];
})"""
ROOM = """() => [...document.querySelectorAll(
        "article div.admonition:not(.is-proof, .solution)")]
    .filter(e => e.checkVisibility() && !e.parentElement.closest(".admonition"))
    .map(e => {
        const box = e.getBoundingClientRect(), inside = [...e.children]
            .filter(x => x.checkVisibility()).map(x => x.getBoundingClientRect());
        const above = Math.min(...inside.map(x => x.top)) - box.top;
        const below = box.bottom - Math.max(...inside.map(x => x.bottom));
        return [e.className + " " + e.id, above, below];
    })"""
FOCUSED = "document.activeElement.closest(%r) !== null"


def test_a_page_reads_well_and_can_be_reached_on_every_screen(path, page_at):
    visit = page_at("http", path, "wide")
    page, complaints = visit.page, visit.complaints
    for screen in ("wide", "phone"):
        visit.resize(screen)
        reader.await_marks(page)
        complaints += page.evaluate(ORPHANS)
        complaints += page.evaluate(STOPS)
    page.set_viewport_size(SMALL)
    complaints += reader.sideways(page)
    assert not complaints, "\n".join(complaints)


def test_an_orphan_would_be_seen(page_at):
    visit = page_at("http", "chapters/unified.html", "phone")
    visit.page.add_style_tag(content=".nobr { white-space: normal !important; }")
    assert visit.page.evaluate(ORPHANS)


def test_headings_grow_and_boxes_have_as_much_room_above_as_below(page_at):
    visit = page_at("http", "chapters/good_event.html")
    sizes, weights = zip(*visit.page.evaluate(SCALE), strict=True)
    assert sizes[0] > 1.2 * sizes[1] > 1.2 * 1.2 * sizes[2] > 1.2 * 1.2 * 16
    assert list(weights) == sorted(weights, reverse=True)
    boxes = visit.page.evaluate(ROOM)
    assert len(boxes) > 5
    uneven = [b for b in boxes if abs(b[1] - b[2]) > 3 or b[1] < 8]
    assert not uneven


CITED = [  # a page, a link on it, and words of what it leads to
    ("unified", "reduction.html#lem-chord", "Chord"),
    ("unified", "#equation-eq-unified", "(24)"),
    ("unified", "#fig-unified-free", "Fig."),
    ("unified", "bibliography.html#work-krishna2025pmean", "p-Mean Regret"),
    ("unified", "reduction.html#reduction", "p-mean regret is ordinary regret"),
    ("nash", "errata.html#errata-nash-join", "Can fail for two arms"),
    ("notation", "api.html#pmeanlib.bounds.unified", "Theorem U"),
]


@pytest.mark.parametrize(("kind", "scheme"), [("http", "light"), ("file", "dark")])
@pytest.mark.parametrize(("chapter", "href", "words"), CITED)
def test_what_is_cited_is_shown_at_its_link(
    kind, scheme, chapter, href, words, fresh_page_at
):
    visit = fresh_page_at(kind, f"chapters/{chapter}.html", "wide", scheme)
    page, link = visit.page, visit.page.locator(f"a.reference[href='{href}']").first
    assert not any("/tips/" in url for url in visit.loaded)
    link.scroll_into_view_if_needed()
    link.hover()
    card = page.get_by_role("tooltip")
    card.wait_for()
    assert words in card.inner_text()
    assert "\\(" not in card.inner_text()
    assert link.get_attribute("aria-describedby") == card.get_attribute("id")
    assert len(page.locator("[id=book-tip]").all()) == 1
    box = card.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= reader.SCREENS["wide"][0]
    card.hover()  # it stays while it is read
    page.wait_for_timeout(500)
    assert card.is_visible()
    assert not reader.axe(page, runOnly=reader.COLOUR)
    page.keyboard.press("Escape")
    card.wait_for(state="detached")
    assert link.get_attribute("aria-describedby") is None
    assert not visit.complaints, "\n".join(visit.complaints)


def test_a_keyboard_shows_what_is_cited_and_a_finger_does_not(fresh_page_at, browser):
    visit = fresh_page_at("file", "chapters/reduction.html", "phone")
    page = visit.page
    link = page.locator("article a.reference.internal[href*='#thm']").first
    link.evaluate("e => e.focus({focusVisible: true})")
    card = page.get_by_role("tooltip")
    card.wait_for()
    box = card.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= reader.SCREENS["phone"][0]
    assert not reader.sideways(page)
    link.blur()
    card.wait_for(state="detached")
    link.dispatch_event("pointerover", {"pointerType": "touch", "bubbles": True})
    page.wait_for_timeout(500)
    assert card.count() == 0
    page.emulate_media(media="print")
    link.evaluate("e => e.focus({focusVisible: true})")
    page.locator("#book-tip").wait_for(state="attached")
    assert not page.locator("#book-tip").is_visible()


def test_every_link_in_the_text_has_its_card(page_at):
    """What is written at build time is what the links of the text ask for."""
    visit = page_at("file", "chapters/errata.html")
    missing = visit.page.evaluate(
        """async () => {
        const all = {}, missing = [];
        window.bookTips = (page, cards) => { all[page] = cards; };
        const links = [...document.querySelectorAll(
            "article a.reference.internal[href*='#']")];
        const name = a => a.pathname.split("/").pop().replace(".html", "");
        for (const page of new Set(links.map(name)))
            await new Promise((done, fail) => {
                const script = document.createElement("script");
                script.src = `../_static/tips/${page}.js`;
                script.onload = done;
                script.onerror = fail;
                document.head.append(script);
            });
        return links.filter(a => !all[name(a)][decodeURIComponent(a.hash.slice(1))])
            .map(a => a.href);
    }"""
    )
    assert visit.page.locator("article a.reference.internal").count() > 70
    assert not missing
    ids = visit.page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_a_row_of_the_errata_says_how_serious_it_is_and_can_be_linked(page_at):
    visit = page_at("http", "chapters/errata.html#errata-mild")
    row = visit.page.locator("tr:has(#errata-mild)")
    assert row.locator(".severity.is-loose").count() == 1
    assert row.evaluate("e => e.getBoundingClientRect().top < innerHeight")
    row.hover()
    sign = row.locator("a.headerlink[href='#errata-mild']")
    assert sign.is_visible()


def test_the_first_control_is_six_stops_from_the_skip_link(page_at):
    page = page_at("http", "chapters/index.html").page
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED % ".skip-link")
    page.keyboard.press("Enter")
    controls = []
    for _ in range(6):
        page.keyboard.press("Tab")
        controls.append(page.evaluate(FOCUSED % ".explorer"))
    assert any(controls)
