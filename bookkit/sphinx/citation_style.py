"""Sphinx extension of the book: works are listed as they are cited, author and year."""

from pybtex.plugin import register_plugin
from pybtex.style.formatting.unsrt import Style as Unsorted
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.template import field, sentence


class AuthorYear(BaseLabelStyle):
    """Labels such as "Auer et al., 2002": what a citation says."""

    def format_labels(self, entries):
        for entry in entries:
            yield f"{surnames(entry.persons['author'])}, {entry.fields['year']}"


def surnames(persons) -> str:
    """One name, two names, or the first of more, as `author_year` cites them."""
    names = [
        " ".join(map(str, p.rich_prelast_names + p.rich_last_names)) for p in persons
    ]
    return " and ".join(names) if len(names) < 3 else f"{names[0]} et al."


class Works(Unsorted):
    """Entries with titles as their authors wrote them, in the order of the labels."""

    default_label_style = AuthorYear
    default_sorting_style = "author_year_title"

    def format_title(self, e, which_field, as_sentence=True):
        title = field(which_field)
        return sentence[title] if as_sentence else title


def setup(app):
    register_plugin("pybtex.style.formatting", "works", Works)
