"""`make lab` brings notebooks up to date and keeps what a reader has changed."""

from bookkit.make.lab import put


def filled(folder, **texts):
    for name, text in texts.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf8")
    return folder


def test_what_a_reader_changed_is_kept_and_the_rest_brought_up_to_date(tmp_path):
    book = filled(tmp_path / "book", a="1", b="1", _data__c="1")
    mine = tmp_path / "mine"
    mine.mkdir()
    assert put(book, mine) == []
    assert (mine / "_data" / "c").read_text("utf8") == "1"
    filled(mine, a="my own")
    filled(book, a="2", b="2")
    assert put(book, mine) == ["a"]
    assert (mine / "a").read_text("utf8") == "my own"
    assert (mine / "b").read_text("utf8") == "2"


def test_a_file_that_was_there_before_is_the_readers(tmp_path):
    book, mine = filled(tmp_path / "book", a="1"), filled(tmp_path / "mine", a="my own")
    assert put(book, mine) == ["a"]
    assert (mine / "a").read_text("utf8") == "my own"


def test_whoever_comes_back_to_the_books_text_gets_the_next_one(tmp_path):
    book, mine = filled(tmp_path / "book", a="1"), filled(tmp_path / "mine")
    mine.mkdir(exist_ok=True)
    put(book, mine)
    filled(mine, a="my own")
    filled(book, a="2")
    put(book, mine)
    filled(mine, a="2")
    filled(book, a="3")
    put(book, mine)
    assert (mine / "a").read_text("utf8") == "2"
    put(filled(book, a="2"), mine)
    put(filled(book, a="3"), mine)
    assert (mine / "a").read_text("utf8") == "3"
