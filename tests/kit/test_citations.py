"""Works in the list are called as they are cited."""

from pybtex.database import Person

from bookkit.sphinx import citations


def test_works_are_listed_by_the_names_they_are_cited_by():
    people = [Person("Auer, Peter"), Person("van der Leeden, Rien"), Person("Fischer")]
    assert citations.surnames(people[:1]) == "Auer"
    assert citations.surnames(people[:2]) == "Auer and van der Leeden"
    assert citations.surnames(people) == "Auer et al."
