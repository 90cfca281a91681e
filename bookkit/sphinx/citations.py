"""Sphinx extension of the book: works are listed as they are cited, author and year."""

from docutils import nodes
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


def visit_citation(self, node):
    """As docutils does, but as an item of the list that it opens around them.

    Its role, doc-biblioentry, is deprecated since version 1.1 of DPUB-ARIA.
    """
    if not isinstance(node.previous_sibling(), nodes.citation):
        self.body.append('<div role="list" class="citation-list">\n')
    start = self.starttag(node, "div", classes=[node.tagname], role="listitem")
    self.body.append(start)


def setup(app):
    app.add_node(nodes.citation, override=True, html=(visit_citation, None))
    register_plugin("pybtex.style.formatting", "works", Works)
