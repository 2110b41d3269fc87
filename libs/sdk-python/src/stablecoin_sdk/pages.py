"""Lists that come in pages: iterate over all items, or take one page."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from .types import Pagination

Item = TypeVar("Item")

LIMIT_MAX = 100
"""The most that a page may hold: a walk over all pages asks for as much, unless the caller said how much."""


@dataclass(frozen=True)
class Page(Generic[Item]):
    data: list[Item]
    pagination: Pagination


class Pages(Generic[Item]):
    """A list. Iterating over it asks for one page after the other, as far as you go::

        for transaction in client.transactions.list(status="COMPLETED"):
            ...

    New items stand first: when some are added meanwhile, the next page begins with items that the page before it had.
    They are left out, so that each comes once.
    """

    def __init__(self, fetch: Callable[[Mapping[str, int]], dict[str, Any]], given: Mapping[str, int]) -> None:
        self._fetch = fetch
        self._given = given

    def page(self) -> Page[Item]:
        """The page that was asked for, the first one by default: one request."""
        return self._page(self._given)

    def pages(self) -> Iterator[Page[Item]]:
        """All pages from there on, as they come."""
        paging = {"limit": LIMIT_MAX, **self._given}
        while True:
            page = self._page(paging)
            yield page
            paging["page"] = page.pagination["page"] + 1
            if paging["page"] > page.pagination["totalPages"]:
                return

    def __iter__(self) -> Iterator[Item]:
        before: set[Hashable] = set()
        for page in self.pages():
            identities = [_identity(item) for item in page.data]
            for item, identity in zip(page.data, identities, strict=True):
                if identity not in before:
                    yield item
            before = set(identities)

    def _page(self, paging: Mapping[str, int]) -> Page[Item]:
        body = self._fetch(paging)
        return Page(data=cast("list[Item]", body["data"]), pagination=cast(Pagination, body["pagination"]))


def _identity(item: object) -> Hashable:
    """Its id; an item without one, such as a checkpoint, is told apart by all of it."""
    fields = cast("Mapping[str, object]", item)
    found = fields.get("id")
    return found if isinstance(found, str) else repr(sorted(fields.items()))
