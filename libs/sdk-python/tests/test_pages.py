from __future__ import annotations

from typing import Any

from scripted_service import page
from support import ServiceTest


def items(*ids: str) -> list[Any]:
    return [{"id": identifier} for identifier in ids]


class Lists(ServiceTest):
    def test_iterating_asks_for_one_page_after_the_other(self) -> None:
        service = self.service(page(items("a", "b"), 1, 3), page(items("c", "d"), 2, 3), page(items("e"), 3, 3))
        found = [item["id"] for item in self.client(service).transactions.list(status="COMPLETED")]
        self.assertEqual(found, ["a", "b", "c", "d", "e"])
        queries = [came.target.partition("?")[2] for came in service.came]
        self.assertEqual(
            queries,
            ["status=COMPLETED&limit=100", "status=COMPLETED&page=2&limit=100", "status=COMPLETED&page=3&limit=100"],
        )

    def test_no_further_page_is_asked_for_than_is_needed(self) -> None:
        service = self.service(page(items("a", "b"), 1, 3))
        self.assertEqual(next(iter(self.client(service).transactions.list()))["id"], "a")
        self.assertEqual(len(service.came), 1)

    def test_an_item_that_was_pushed_onto_the_next_page_comes_once(self) -> None:
        service = self.service(page(items("a", "b"), 1, 2), page(items("b", "c"), 2, 2))
        self.assertEqual([item["id"] for item in self.client(service).events.list()], ["a", "b", "c"])

    def test_an_empty_list_has_no_page_after_it(self) -> None:
        self.assertEqual(list(self.client(self.service(page([], 1, 0))).webhooks.list()), [])

    def test_items_without_an_id_are_told_apart_by_all_of_them(self) -> None:
        first: list[Any] = [{"size": 3}, {"size": 2}]
        second: list[Any] = [{"size": 2}, {"size": 1}]
        service = self.service(page(first, 1, 2), page(second, 2, 2))
        self.assertEqual([item["size"] for item in self.client(service).audit.checkpoints()], [3, 2, 1])

    def test_one_page_as_it_was_asked_for(self) -> None:
        service = self.service(page(items("c"), 2, 3))
        one = self.client(service).customers.list(page=2, limit=1).page()
        self.assertEqual(([item["id"] for item in one.data], one.pagination["totalPages"]), (["c"], 3))
        self.assertEqual(service.came[0].target, "/api/customers?page=2&limit=1")
