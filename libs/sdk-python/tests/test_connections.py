from __future__ import annotations

import os
import socket
import threading
from unittest.mock import patch

from scripted_service import ScriptedService, answer, success
from stablecoin_sdk import Stablecoin
from support import API_KEY, ServiceTest

WALLET = {"id": "w-1"}


class KeptOpen(ServiceTest):
    def test_one_connection_for_calls_in_turn(self) -> None:
        service = self.service(*[success(WALLET)] * 3)
        client = self.client(service)
        for _ in range(3):
            client.wallets.get("w-1")
        self.assertEqual([came.connection for came in service.came], [1, 1, 1])

    def test_a_connection_that_the_service_closed_is_not_used(self) -> None:
        last = answer(200, {"status": "success", "data": WALLET}, {"connection": "close"})
        service = self.service(last, success(WALLET))
        client = self.client(service, max_retries=0)
        client.wallets.get("w-1")
        client.wallets.get("w-1")
        self.assertEqual(service.connections, 2)

    def test_nor_one_that_it_closed_without_a_word(self) -> None:
        def close(sock: socket.socket) -> bool:
            success(WALLET)(sock)
            return False

        service = self.service(close, success(WALLET))
        client = self.client(service, max_retries=0)
        client.wallets.get("w-1")
        # The end of a connection on this machine is known at once, but by another thread.
        threading.Event().wait(0.1)
        client.wallets.get("w-1")
        self.assertEqual(service.connections, 2)

    def test_one_client_for_many_threads(self) -> None:
        service = self.service(*[success(WALLET)] * 80)
        client = self.client(service)
        answers: list[object] = []

        def ask() -> None:
            for _ in range(10):
                answers.append(client.wallets.get("w-1"))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [WALLET] * 80)
        self.assertLessEqual(service.connections, 8)

    def test_a_forked_process_opens_its_own(self) -> None:
        service = self.service(*[success(WALLET)] * 2)
        client = self.client(service)
        client.wallets.get("w-1")
        child = os.fork()
        if child == 0:
            try:
                client.wallets.get("w-1")
                os._exit(0)
            finally:
                os._exit(1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual([came.connection for came in service.came], [1, 2])


class Proxy(ServiceTest):
    def test_the_environments_proxy_is_used(self) -> None:
        with ScriptedService(success(WALLET)) as proxy:
            environment = {
                "http_proxy": f"http://user:p%40ss@127.0.0.1:{proxy.port}",
                "no_proxy": "",
                "NO_PROXY": "",
            }
            with patch.dict("os.environ", environment):
                client = Stablecoin(api_key=API_KEY, base_url="http://stablecoin.example/api")
            self.addCleanup(client.close)
            client.wallets.get("w-1")
            (came,) = proxy.came
            self.assertEqual(came.target, "http://stablecoin.example/api/wallets/w-1")
            self.assertEqual(came.headers["host"], "stablecoin.example")
            self.assertEqual(came.headers["proxy-authorization"], "Basic dXNlcjpwQHNz")
