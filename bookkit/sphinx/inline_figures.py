"""Sphinx extension of the book: figures in the page's own ink.

A notebook's vector figure becomes part of its page instead of a file beside it. Its
palette (pmeanlib.figures) turns into the style sheet's variables, so that it follows
light and dark; colour maps, which have other colours, stay what they are. Panels that
stand side by side become drawings of their own, which the style sheet puts one below
the other where there is no room. What only a drawing program needs is left out.
"""

import re
from html import escape
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from pmeanlib import figures

INKS = {
    figures.BLUE: "--book-blue",
    figures.ORANGE: "--book-orange",
    figures.GREEN: "--book-green",
    figures.PURPLE: "--book-purple",
    figures.GOLD: "--book-gold",
    figures.INK: "--pst-color-text-base",
    figures.GUIDE: "--book-ink",
}
COLOUR = re.compile("|".join(INKS))
NUMBER = re.compile(r"-?\d+\.\d+")
POINTER = re.compile(r"(?<=^#)[\w-]+|(?<=url\(#)[\w-]+")
TRANSLATION = re.compile(r"translate\(([-\d.]+)")
GEOMETRY = ("d", "x", "y", "width", "height", "points", "cx", "cy")
AIR, TALL = 4, 11  # points: left of a panel's first mark; of a letter


class InlineFigures(SphinxPostTransform):
    """Put each vector figure of a notebook into its page."""

    default_priority = 400
    formats = ("html",)

    def run(self, **kwargs):
        for n, image in enumerate(list(self.document.findall(nodes.image))):
            path = Path(self.env.srcdir) / image["uri"]
            if path.suffix == ".svg" and "jupyter_execute" in path.parts:
                drawn = inline(path.read_text("utf8"), f"ink{n}", image.get("alt", ""))
                image.replace_self(nodes.raw("", drawn, format="html"))


def inline(svg: str, name: str, alt: str) -> str:
    """A figure as HTML: one box with the words for it, a drawing for each panel."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.get("viewBox", "").split())
    clean(root, name)
    panels = split(root, width)
    ends = [left for left, _ in panels[1:]] + [width]
    drawn = "".join(
        f'<svg aria-hidden="true" viewBox="{short(left)} 0 {short(end - left)} '
        f'{short(height)}" style="--width:{short(end - left)}">{body}</svg>'
        for (left, body), end in zip(panels, ends, strict=True)
    )
    return f'<div class="ink" role="img" aria-label="{escape(alt)}">{drawn}</div>\n'


def short(number: float) -> str:
    """A number with one decimal, and none where it is zero."""
    return f"{number:.1f}".removesuffix(".0").replace("-0.0", "0")


def clean(root: ElementTree.Element, name: str) -> None:
    """Make tags plain, numbers short, colours variables, and ids those of this figure.

    An id remains where something points to it; the groups of axes keep theirs for now.
    """
    used = {
        pointer
        for element in root.iter()
        for value in element.attrib.values()
        for pointer in POINTER.findall(value)
    }
    ids = {old: f"{name}-{i}" for i, old in enumerate(sorted(used))}
    for element in root.iter():
        element.tag = element.tag.partition("}")[2] or element.tag
        element.text = element.tail = None
        old, element.attrib = element.attrib, {}
        for key, value in old.items():
            key = key.partition("}")[2] or key
            if key == "id":
                if value in ids or value.startswith("axes_"):
                    element.set(key, ids.get(value, value))
            elif key == "style":
                element.set(key, COLOUR.sub(ink, re.sub(r"([:;])\s+", r"\1", value)))
            elif key in GEOMETRY:
                element.set(key, shorten(value))
            elif key == "transform":
                moved = re.sub(r"translate\([^)]*\)", lambda m: shorten(m[0]), value)
                element.set(key, moved)
            else:
                element.set(key, value)
        for key in ("href", "clip-path", "style"):
            if key in element.attrib:
                pointed = POINTER.sub(
                    lambda m: ids.get(m[0], m[0]), element.get(key, "")
                )
                element.set(key, pointed)
    unwrap(root)


def shorten(text: str) -> str:
    """Numbers with one decimal, and no blanks but those that part them."""
    text = NUMBER.sub(lambda m: short(float(m[0])), " ".join(text.split()))
    return re.sub(r" ?([MLQCzZHV]) ?", r"\1", text)


def ink(match: re.Match) -> str:
    """The variable of the style sheet for a colour of the palette."""
    return f"var({INKS[match[0]]})"


def unwrap(parent: ElementTree.Element) -> None:
    """Leave out what draws nothing, and groups that say nothing about their members."""
    children: list[ElementTree.Element] = []
    for child in parent:
        unwrap(child)
        if child.tag == "g" and not child.attrib:
            children += child
        elif not draws_nothing(child):
            children.append(child)
    parent[:] = children


def draws_nothing(element: ElementTree.Element) -> bool:
    """Whether an element is empty, invisible or only for programs."""
    invisible = element.tag == "path" and element.get("style") == "fill:none"
    empty = element.tag in ("g", "defs") and not len(element)
    return invisible or empty or element.tag in ("metadata", "style", "title")


def split(root: ElementTree.Element, width: float) -> list[tuple[float, str]]:
    """For each panel from left to right, where it begins and what is drawn in it.

    Axes that overlap sideways, or that are as narrow as a colour bar, share a panel.
    """
    starts, drawn, end = [0.0], [""], 0.0
    for element in root:
        if element.attrib.pop("id", "").startswith("axes_"):
            left, right = extent(element)
            if left > end > 0 and right - left > width / 8:
                starts.append(left - AIR)
                drawn.append("")
            end = max(end, right)
        drawn[-1] += ElementTree.tostring(element, "unicode").replace(" />", "/>")
    return list(zip(starts, drawn, strict=True))


def extent(axes: ElementTree.Element) -> tuple[float, float]:
    """The first and the last x at which words or ticks stand in a group of axes."""
    xs = [float(tick.get("x", "")) for tick in axes.findall("use")]
    for words in axes.findall("g"):
        if match := TRANSLATION.match(words.get("transform", "")):
            upright = "rotate(-90)" in words.get("transform", "")
            xs.append(float(match[1]) - upright * TALL)
    return min(xs), max(xs)


def setup(app):
    app.add_post_transform(InlineFigures)
