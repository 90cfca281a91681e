"""Modules of the pages as one classic script.

A page that is opened from a folder cannot load modules. Each module becomes a function
that is called once, after the modules that it imports. `IMPORT` and `EXPORT` are the
forms that are understood; each begins a line. An import `with { type: "text" }` gives
another script, bundled, as a text. (By hand, as esbuild and rollup come from npm alone;
the wheel called esbuild fetches its program when it runs.)
"""

import json
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path

WEB = Path(__file__).parents[1] / "web"
IMPORT = re.compile(
    r"^import (?:\* as (?P<all>\w+)|(?P<text>\w+)|(?P<some>\{[^}]*\}))"
    r' from "(?P<path>\.[^"]+)"(?(text) with \{ type: "text" \});$',
    re.M,
)
EXPORT = re.compile(r"^export (?=(?:function|const|class) (\w+))", re.M)


def bundle(entry: str, generated: Mapping[str, str]) -> str:
    """The script of the module `entry` and of all that it imports.

    Modules are named by their paths in `bookkit/web`; `generated` has, by such names,
    the texts of modules that the build writes.
    """
    scripts: dict[str, str] = {}  # by the module's name, in the order of their calls

    def include(module: str) -> str:
        """Put a module behind those that it imports; returns its name in the script."""
        name = re.sub(r"\W", "_", module)  # ends in _js: no name of the module's own
        if name in scripts:
            return name

        def bind(match: re.Match) -> str:
            path = posixpath.join(posixpath.dirname(module), match["path"])
            path = posixpath.normpath(path)
            if match["text"]:
                return f"const {match['text']} = {json.dumps(bundle(path, generated))};"
            names = match["all"] or match["some"].replace(" as ", ": ")
            return f"const {names} = {include(path)};"

        text = generated.get(module) or (WEB / module).read_text("utf8")
        body = IMPORT.sub(bind, text)
        exported = ", ".join(EXPORT.findall(body))
        body = EXPORT.sub("", body)
        if left := re.search(r"^(?:import|export)\b.*", body, re.M):
            raise ValueError(f"{module}: no form that can be bundled: {left[0]}")
        body += f"return {{ {exported} }};\n"
        scripts[name] = f"const {name} = (() => {{\n{body}}})();"
        return name

    include(entry)
    return "\n".join(['(() => {\n"use strict";', *scripts.values(), "})();\n"])
