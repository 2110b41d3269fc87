"""Connections to one service, kept open between requests and shared by threads: each is used by one at a time.

One attempt of a request is here: it ends with a whole answer, or with ``AttemptFailed``. Its timeout bounds all of it,
however slowly bytes arrive; only the look-up of the host's name is left to the system.
"""

from __future__ import annotations

import base64
import http.client
import io
import os
import selectors
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

IDLE_MAX = 16
"""Connections that wait for the next request, at the most."""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: bytes


class AttemptFailed(Exception):
    def __init__(self, reason: str, *, sent: bool, timed_out: bool) -> None:
        super().__init__(reason)
        self.sent = sent
        """Whether any of the request may have reached the service."""
        self.timed_out = timed_out


@dataclass
class _Clock:
    """When the attempt that uses a connection must be over."""

    ends_at: float = 0.0

    def left(self) -> float:
        left = self.ends_at - time.monotonic()
        if left <= 0:
            raise TimeoutError("no whole answer in time")
        return left


class _BoundedReader(io.RawIOBase):
    """Each read has what is left of the attempt's time; a socket's own timeout starts anew with each byte."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, clock: _Clock) -> None:
        super().__init__()
        self._raw = raw
        self._sock = sock
        self._clock = clock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        self._sock.settimeout(self._clock.left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _bounded_responses(clock: _Clock) -> type[http.client.HTTPResponse]:
    class BoundedResponse(http.client.HTTPResponse):
        def __init__(
            self, sock: socket.socket, debuglevel: int = 0, method: str | None = None, url: str | None = None
        ) -> None:
            super().__init__(sock, debuglevel, method, url)
            self.fp = io.BufferedReader(_BoundedReader(self.fp.detach(), sock, clock))

    return BoundedResponse


@dataclass
class _Connection:
    http: http.client.HTTPConnection
    clock: _Clock

    def is_open(self) -> bool:
        """Whether it can carry a request: the service may have closed it, or sent what was not asked for."""
        if self.http.sock is None:
            return False
        with selectors.DefaultSelector() as selector:
            selector.register(self.http.sock, selectors.EVENT_READ)
            return not selector.select(0)


class Connections:
    def __init__(self, base_url: str) -> None:
        parts = urllib.parse.urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("base_url must be such as https://api.example.com/api")
        self._host = parts.hostname
        self._port = parts.port
        self._root = parts.path.rstrip("/")
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._proxy = _proxy_for(parts)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._lock = threading.Lock()
        self._idle: list[_Connection] = []
        self._process = os.getpid()

    def send(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None, timeout: float) -> Answer:
        """One attempt.

        @raises AttemptFailed
        """
        connection = self._taken()
        connection.clock.ends_at = time.monotonic() + timeout
        sent = False
        try:
            if connection.http.sock is None:
                connection.http.timeout = timeout
                connection.http.connect()
            else:
                connection.http.sock.settimeout(timeout)
            sent = True
            answer, reusable = self._exchange(connection, method, path, headers, body)
        except TimeoutError as error:
            connection.http.close()
            raise AttemptFailed("no whole answer in time", sent=sent, timed_out=True) from error
        except (OSError, http.client.HTTPException) as error:
            connection.http.close()
            reason = f"{type(error).__name__}: {error}"
            raise AttemptFailed(reason, sent=sent, timed_out=False) from error
        except BaseException:
            connection.http.close()
            raise
        if reusable:
            self._give_back(connection)
        else:
            connection.http.close()
        return answer

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.http.close()

    def _exchange(
        self, connection: _Connection, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> tuple[Answer, bool]:
        through_proxy = self._proxy is not None and self._tls is None
        target = f"{self._origin if through_proxy else ''}{self._root}{path}"
        proxy_headers: Mapping[str, str] = self._proxy.headers if self._proxy is not None and through_proxy else {}
        whole = True
        try:
            connection.http.request(method, target, body, {**headers, **proxy_headers})
        except (BrokenPipeError, ConnectionResetError):
            # A service may answer before it has read the whole request, and close: then what it answered counts.
            whole = False
        response = connection.http.getresponse()
        content = response.read()
        answered = Answer(response.status, {name.lower(): text for name, text in response.getheaders()}, content)
        return answered, whole and not response.will_close

    def _taken(self) -> _Connection:
        with self._lock:
            if os.getpid() != self._process:
                # After a fork the parent's connections are the parent's: closing them here leaves them open there.
                self._process = os.getpid()
                while self._idle:
                    self._idle.pop().http.close()
            while self._idle:
                connection = self._idle.pop()
                if connection.is_open():
                    return connection
                connection.http.close()
        return self._new()

    def _give_back(self, connection: _Connection) -> None:
        with self._lock:
            if len(self._idle) < IDLE_MAX:
                self._idle.append(connection)
                return
        connection.http.close()

    def _new(self) -> _Connection:
        host, port = (self._host, self._port) if self._proxy is None else (self._proxy.host, self._proxy.port)
        connection = (
            http.client.HTTPConnection(host, port)
            if self._tls is None
            else http.client.HTTPSConnection(host, port, context=self._tls)
        )
        if self._proxy is not None and self._tls is not None:
            connection.set_tunnel(self._host, self._port, self._proxy.headers)
        clock = _Clock()
        connection.response_class = _bounded_responses(clock)
        return _Connection(connection, clock)


@dataclass(frozen=True)
class _Proxy:
    host: str
    port: int | None
    headers: Mapping[str, str]


def _proxy_for(parts: urllib.parse.SplitResult) -> _Proxy | None:
    """The proxy that the environment names (http_proxy, https_proxy, no_proxy), as in Python's urllib."""
    url = urllib.request.getproxies().get(parts.scheme)
    if not url or urllib.request.proxy_bypass(parts.netloc):
        return None
    proxy = urllib.parse.urlsplit(url if "://" in url else f"http://{url}")
    if proxy.scheme != "http" or not proxy.hostname:
        raise ValueError(f"{parts.scheme}_proxy must be such as http://proxy.example.com:3128")
    if proxy.username is None:
        return _Proxy(proxy.hostname, proxy.port, {})
    user = f"{urllib.parse.unquote(proxy.username)}:{urllib.parse.unquote(proxy.password or '')}"
    encoded = base64.b64encode(user.encode()).decode()
    return _Proxy(proxy.hostname, proxy.port, {"proxy-authorization": f"Basic {encoded}"})
