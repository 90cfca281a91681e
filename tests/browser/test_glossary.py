"""The terms on the pages: linked once, at their first use, and explained on the spot.

What is a use is found here by another way than chapters/_ext/glossary.py takes: the
browser reads the page out as its reader meets it, and the forms of the glossary are
looked for in that.
"""

import re
from functools import cache
from typing import NamedTuple

import pytest
from reader import HTML, ROOT

PAGES = sorted(p.stem for p in (HTML / "chapters").glob("*.html"))
LOOKED_UP = ("api", "bibliography", "glossary")  # no term is linked there
MOST = 35  # links to terms on a page; the chapter that introduces most terms has most
# The running prose of a page: for what is no prose there is a sign, emphasis stands
# between < and >, and before a link to a term is its label between { and }.
READ = r"""() => {
    const deaf = "h1, h2, h3, h4, h5, h6, pre, code, table, figure, details, .cell, "
        + ".learn, .exercise, .quick, .explorer-box, .dropdown, .citation, .ink, "
        + ".admonition-title, a:not(.term), button, script, style";
    const read = node => {
        if (node.nodeType === 3) return node.data.replace(/[\s{}<>]/g, " ");
        if (node.nodeType !== 1) return "";
        const tex = node.dataset.tex;
        if (tex !== undefined) return {p: "p", "\\sigma": "σ"}[tex] || "¤";
        if (node.matches(deaf)) return "¤";
        const inner = [...node.childNodes].map(read).join("");
        if (node.matches("a.term")) return `{${node.hash.slice(1)}}${inner}`;
        if (node.matches("em, strong")) return `<${inner}>`;
        const inline = getComputedStyle(node).display.startsWith("inline");
        return inline ? inner : `\n${inner}\n`;
    };
    return read(document.querySelector("article"));
}"""


class Entry(NamedTuple):
    """The labels of an entry, and the forms under which it may occur."""

    labels: list[str]
    forms: list[str]


@cache
def entries() -> list[Entry]:
    """The entries as the source of the glossary has them."""
    source = (ROOT / "chapters" / "glossary.md").read_text("utf8")
    blocks = "".join(re.findall(r"(?s):::\{glossary\}\n(.*?):::", source))
    found = []
    for names, text in re.findall(r"^((?:\S.*\n)+)  (.*)\n", blocks, re.M):
        terms = names.splitlines()
        told = re.search(r"\{forms\}`([^`]*)`", text)
        own = [form for term in terms for form in (term, f"{term}s")]
        labels = ["term-" + re.sub(r"[’'–]", "", t).replace(" ", "-") for t in terms]
        found.append(Entry(labels, told[1].split(", ") if told else own))
    return found


def looks_like(form: str) -> str:
    """A form as a pattern: its neighbours are looked at, and not part of it."""
    before, words, after = re.fullmatch(
        r"(?:\((.*?)\) )?([^()]*?)(?: \((.*?)\))?", form
    ).groups()
    first = f"[{words[0].lower()}{words[0].upper()}]"
    ahead = f"(?= {after}\\b)" if after else ""
    behind = f"(?<=\\b{before} )" if before else ""
    whole = rf"(?<![\w-]){behind}{first}{words[1:]}(?![\w-]){ahead}"
    return whole.replace("'", "[’']")


def uses(text: str) -> list[tuple[int, int, int]]:
    """Where entries are used: place, end and number; a longer form hides a shorter."""
    found = []
    emphasised = [(m.start(1), m[1]) for m in re.finditer(r"<([^<>]*)>", text)]
    plain = re.sub(r"<[^<>]*>", lambda m: "¤" * len(m[0]), text)
    for number, entry in enumerate(entries()):
        for form in entry.forms:
            words = form.strip("*")
            if form == words:
                hits = re.finditer(looks_like(form), plain)
                found += [(m.start(), m.end(), number) for m in hits]
            for place, said in emphasised:
                whole = re.sub(r"^\(.*?\) | \(.*?\)$", "", words)
                same = said.rstrip(".:,;")[1:] == whole[1:]
                if same and said[:1].lower() == whole[0].lower() and "(" not in form:
                    found.append((place, place + len(whole), number))
    return [
        (a, b, n)
        for a, b, n in found
        if not any(x <= a and b <= y and y - x > b - a for x, y, _ in found)
    ]


@pytest.mark.parametrize("name", PAGES)
def test_every_term_is_linked_once_where_the_page_first_uses_it(name, page_at):
    visit = page_at("http", f"chapters/{name}.html")
    told = visit.page.evaluate(READ)
    labels = re.findall(r"\{(term-[^}]*)\}", told)
    shown = visit.page.locator("article a.term").count()
    assert len(labels) == shown <= MOST
    if name in LOOKED_UP:
        assert not labels
        return
    places = {}
    text = ""
    for piece in re.split(r"(\{[^}]*\})", told):
        if piece.startswith("{"):
            places[piece[1:-1]] = len(text)
        else:
            text += piece
    first = {}
    for place, _, number in sorted(uses(text)):
        first.setdefault(number, place)
    wanted = {n: text[max(0, at - 40) : at + 40] for n, at in first.items()}
    linked = {}
    for label, place in places.items():
        number = next(n for n, e in enumerate(entries()) if label in e.labels)
        assert number not in linked, f"{label} is linked twice"
        linked[number] = place
        assert place == first.get(number), (label, wanted.get(number))
    assert set(linked) == set(first), [wanted[n] for n in set(first) - set(linked)]


def test_every_entry_is_used_in_some_chapter():
    pages = [(HTML / "chapters" / f"{name}.html").read_text("utf8") for name in PAGES]
    linked = set(re.findall(r'class="term[^"]*" href="[^"]*#([^"]+)"', "".join(pages)))
    assert [e.labels for e in entries() if not linked & set(e.labels)] == []
    glossary = (HTML / "chapters" / "glossary.html").read_text("utf8")
    assert {label for e in entries() for label in e.labels} == set(
        re.findall(r'<dt id="(term-[^"]+)"', glossary)
    )


@pytest.mark.parametrize("kind", ["http", "file"])
def test_a_term_is_explained_on_the_spot_and_can_be_looked_up(kind, fresh_page_at):
    visit = fresh_page_at(kind, "chapters/reduction.html")
    page = visit.page
    link = page.locator("a.term", has_text="ordinary regret").first
    link.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    card = page.locator("#book-tip")
    card.wait_for()
    assert card.locator("strong").inner_text() == "ordinary regret"
    assert "how much a round loses on average" in card.inner_text()
    assert link.get_attribute("aria-describedby") == "book-tip"
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary.html#term-ordinary-regret")
    assert page.locator("dt:target").is_visible()
    assert not visit.complaints, "\n".join(visit.complaints)


def test_the_search_finds_a_term(fresh_page_at):
    visit = fresh_page_at("file", "search.html?q=loss+factor")
    found = visit.page.locator("#search-results a[href*='#term-loss-factor']")
    found.wait_for()
    assert not visit.complaints, "\n".join(visit.complaints)
