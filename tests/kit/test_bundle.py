"""The scripts of the explorers: every module is in one, and what cannot be is named."""

import re

import pytest

from bookkit.assets import explorer_modules
from bookkit.assets.bundle import WEB, bundle


def test_every_module_of_the_explorers_is_in_a_script():
    generated, used = explorer_modules.modules(), set()
    for kind in explorer_modules.START:
        text = bundle(f"explorers/{kind}.js", generated)
        named = re.findall(r"^const (\w+_js) = \(\(\) => \{$", text, re.M)
        used |= set(named)
        assert named[-1] == f"explorers_{kind}_js"
        assert ("data_js" in named) == (kind == "dial")
        assert ("engine_play_js" in named) == (kind == "laboratory")
    kept = {p.relative_to(WEB).as_posix() for p in WEB.glob("e*/**/*.js")}
    names = {re.sub(r"\W", "_", path) for path in (*kept, *generated)}
    assert used == names - {"engine_serve_js"}  # as a text, for workers


def test_what_cannot_be_bundled_is_named():
    with pytest.raises(ValueError, match=r"x\.js: .*: export default 1;"):
        bundle("x.js", {"x.js": "export default 1;\n"})
    with pytest.raises(ValueError, match=r'x\.js: .*: import "y"'):
        bundle("x.js", {"x.js": 'import "y";\n'})
