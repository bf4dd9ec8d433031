"""Asks servers that answer oddly. Run by client.test.ts."""

from __future__ import annotations

import json
import threading
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import outdial
from outdial.generated.api.account import account_get
from outdial.generated.api.tools import tools_update
from outdial.generated.models import UpdateTool

Answer = Callable[[BaseHTTPRequestHandler], None]


def answer(status: int, content_type: str, body: bytes, **headers: str) -> Answer:
    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"content-type": content_type, "content-length": str(len(body)), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return send


def as_json(body: dict[str, Any], status: int = 200) -> Answer:
    return answer(status, "application/json", json.dumps(body).encode())


BAD_GATEWAY = answer(502, "text/html", b"<h1>Bad Gateway</h1>")


def breaks_off(handler: BaseHTTPRequestHandler) -> None:
    """Begins a whole answer and loses the connection in the middle of it."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"name":')
    handler.close_connection = True


class OddAnswersTest(unittest.TestCase):
    def answering(self, *answers: Answer) -> tuple[str, list[str]]:
        """A server that answers one after the other, the last of them for good."""
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                asked.append(self.command)
                answers[min(len(asked), len(answers)) - 1](self)

            do_PATCH = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}", asked

    def status_of(self, asking: Callable[[], Any]) -> int:
        with self.assertRaises(outdial.OutdialError) as refused:
            asking()
        return refused.exception.status

    def test_a_read_whose_answer_breaks_off_is_tried_again_and_a_change_is_not(self) -> None:
        url, asked = self.answering(breaks_off, BAD_GATEWAY, as_json({"message": "No such account"}, 404))
        self.assertEqual(self.status_of(lambda: account_get.sync(client=outdial.connect(url, token="any"))), 404)
        self.assertEqual(len(asked), 3)
        url, asked = self.answering(breaks_off)
        client = outdial.connect(url, token="any")
        self.assertEqual(self.status_of(lambda: tools_update.sync("t", client=client, body=UpdateTool())), 0)
        self.assertEqual(asked, ["PATCH"])

    def test_a_page_or_a_redirect_is_said_to_be_no_outdial(self) -> None:
        page = answer(200, "text/html; charset=utf-8", b"<p>Hi")
        redirect = answer(301, "text/plain", b"", location="https://elsewhere.example.com/")
        for other in (page, redirect):
            url, asked = self.answering(other)
            with self.assertRaisesRegex(outdial.OutdialError, "is no Outdial. Check the address"):
                account_get.sync(client=outdial.connect(url, token="any"))
            self.assertEqual(len(asked), 1)

    def test_an_address_that_cannot_be_asked_is_refused_at_once(self) -> None:
        for wrong in ("127.0.0.1:8080", "localhost:8080", "", "https://"):
            with self.assertRaisesRegex(ValueError, "^url: must be an address such as"):
                outdial.connect(wrong, token="any")


if __name__ == "__main__":
    unittest.main()
