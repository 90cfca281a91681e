"""The one style sheet and the one script: what is in them, and in which order."""

from types import SimpleNamespace

from bookkit.sphinx import join_assets


def asset(filename, priority=500, **attributes):
    return SimpleNamespace(filename=filename, priority=priority, attributes=attributes)


def test_each_file_is_loaded_once_by_priority_after_what_the_page_itself_says():
    late, early = asset("_static/late.js", 800), asset("_static/early.js", 200)
    told = asset(None, body="let hint = 'Click';")
    twice = asset(None, body="let hint = 'Click';")
    unused = [asset("sphinx-thebe.js"), asset(None, body="DOCUMENTATION_OPTIONS.x = 1")]
    found = join_assets.files([late, told, twice, *unused, early])
    assert [(f.filename, join_assets.body(f)) for f in found] == [
        (None, "let hint = 'Click';"),
        ("_static/early.js", ""),
        ("_static/late.js", ""),
    ]
    assert join_assets.name(early) == "early.js"


def test_addresses_in_a_style_sheet_lead_to_the_same_files_as_before(tmp_path):
    (tmp_path / "deep").mkdir()
    style = "a { b: url('../c.png') url(d.png) url(data:,x) url(#e) }"
    (tmp_path / "deep" / "a.css").write_text(style)
    assert join_assets.read_style(tmp_path, "deep/a.css") == (
        'a { b: url("c.png") url("deep/d.png") url(data:,x) url(#e) }'
    )
