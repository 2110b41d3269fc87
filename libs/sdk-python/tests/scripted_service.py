"""A service on a socket that ends each request as the test has said, and keeps what came."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeAlias

PAYOUT = {"id": "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80", "status": "PENDING", "amount": "10.00000000"}


@dataclass(frozen=True)
class Came:
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    connection: int

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Ending: TypeAlias = Callable[[socket.socket], bool]
"""Ends one request, and says whether the connection stays open."""


def answer(status: int, body: object, headers: Mapping[str, str] | None = None) -> Ending:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"content-type": "application/json", "content-length": str(len(content)), **(headers or {})}
    head = "".join(f"{name}: {text}\r\n" for name, text in given.items())

    def end(sock: socket.socket) -> bool:
        sock.sendall(f"HTTP/1.1 {status} Answer\r\n{head}\r\n".encode() + content)
        return given.get("connection") != "close"

    return end


def success(data: object, **further: object) -> Ending:
    return answer(200, {"status": "success", "data": data, **further})


def page(items: list[Any], number: int, pages: int) -> Ending:
    pagination = {"total": len(items) * pages, "page": number, "limit": len(items), "totalPages": pages}
    return success(items, pagination=pagination)


def refusal(status: int, code: str, headers: Mapping[str, str] | None = None, **further: object) -> Ending:
    body = {"status": "error", "code": code, "message": "It was refused.", "request_id": "r-1", **further}
    return answer(status, body, {"x-request-id": "r-1", **(headers or {})})


def reset(sock: socket.socket) -> bool:
    """The request came, and is all that will pass."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return False


def half_an_answer(sock: socket.socket) -> bool:
    sock.sendall(b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"status":"succ')
    return False


class ScriptedService:
    """Each request is ended by the next of ``endings``."""

    def __init__(self, *endings: Ending) -> None:
        self.came: list[Came] = []
        self.endings = list(endings)
        self.connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api"

    def __enter__(self) -> ScriptedService:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop_listening()
        for sock in self._open:
            sock.close()

    def stop_listening(self) -> None:
        # Closing alone leaves it listening for as long as a thread waits for a connection.
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(sock)
            threading.Thread(target=self._serve, args=(sock, self.connections), daemon=True).start()

    def _serve(self, sock: socket.socket, connection: int) -> None:
        with sock, sock.makefile("rb") as reader:
            while first := reader.readline():
                method, target, _ = first.decode().split(" ")
                headers: dict[str, str] = {}
                while (line := reader.readline().decode().rstrip("\r\n")) != "":
                    name, _, text = line.partition(":")
                    headers[name.lower()] = text.strip()
                body = reader.read(int(headers.get("content-length", "0")))
                self.came.append(Came(method, target, headers, body, connection))
                if not self.endings.pop(0)(sock):
                    return
