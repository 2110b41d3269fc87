"""What the methods of ``resources.py`` have in common: how a call becomes a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._requester import Json, Request, Requester, idempotency_key_of
from ._wire import Upload, form_of, given_of, json_of, path_of, query_of
from .pages import Pages

NOTHING: Mapping[str, Any] = {}


class Resource:
    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    def _get(self, path: str, parameters: Mapping[str, str] = NOTHING, query: Mapping[str, object] = NOTHING) -> Json:
        return self._requester.send(Request("GET", path, path_of(path, parameters), query_of(query)))

    def _list(
        self, path: str, parameters: Mapping[str, str] = NOTHING, query: Mapping[str, object] = NOTHING
    ) -> Pages[Any]:
        # Refused here, and not at the first item.
        filled = path_of(path, parameters)

        def fetch(paging: Mapping[str, int]) -> Json:
            return self._requester.send(Request("GET", path, filled, query_of({**query, **paging})))

        given = {name: number for name in ("page", "limit") if isinstance(number := query.get(name), int)}
        return Pages(fetch, given)

    def _write(
        self,
        method: str,
        path: str,
        idempotency_key: str | None,
        parameters: Mapping[str, str] = NOTHING,
        fields: Mapping[str, object] | None = None,
        amount_fields: frozenset[str] = frozenset(),
        may_be_empty: bool = False,
    ) -> Json:
        given = None if fields is None else given_of(fields)
        body = None if given is None or (may_be_empty and not given) else json_of(given, amount_fields)
        key = idempotency_key_of(idempotency_key)
        return self._requester.send(Request(method, path, path_of(path, parameters), body=body, idempotency_key=key))

    def _upload(self, path: str, idempotency_key: str | None, file: Upload, filename: str | None) -> Json:
        content_type, body = form_of(file, filename)
        key = idempotency_key_of(idempotency_key)
        return self._requester.send(
            Request("POST", path, path, body=body, content_type=content_type, idempotency_key=key)
        )
