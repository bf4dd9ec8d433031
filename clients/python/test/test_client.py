"""Asks a running service: OUTDIAL_TEST_URL and OUTDIAL_TEST_TOKEN say where. Run by client.test.ts."""

from __future__ import annotations

import io
import os
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
from standardwebhooks import WebhookVerificationError

import outdial
from outdial.generated.api.account import account_get, api_keys_create, webhook_secret_get
from outdial.generated.api.agents import agents_create
from outdial.generated.api.batch_calls import batch_calls_cancel, batch_calls_create, batch_calls_get
from outdial.generated.api.batch_calls import batch_calls_list, batch_calls_list_records
from outdial.generated.api.phone_numbers import phone_numbers_create
from outdial.generated.api.routing_rules import routing_rules_create
from outdial.generated.api.tools import tools_create, tools_list, tools_update
from outdial.generated.models import (
    AgentConfig,
    BatchCallsCancelRequest,
    CreateApiKey,
    CreateBatchCallFromRecipients,
    CreatePhoneNumbers,
    CreateRoutingRule,
    CreateTool,
    UpdateTool,
)

URL = os.environ["OUTDIAL_TEST_URL"]
TOKEN = os.environ["OUTDIAL_TEST_TOKEN"]
PHONE_NUMBER = "+15550100000"


def numbers(count: int, start: int) -> list[str]:
    """They are answered: the simulated carrier goes by the last digit."""
    return [f"+1555{start + i:05}87" for i in range(count)]


def csv(called: list[str]) -> bytes:
    return "\n".join(["phone_number,name", *(f"{number},Person" for number in called)]).encode()


def a_tool(name: str) -> CreateTool:
    return CreateTool(name=name, description="Looks up.", url="https://tools.example.com/appointments")


class LosesAnswers(httpx.BaseTransport):
    """Sends each request; the first so many answers never arrive."""

    def __init__(self, losses: int) -> None:
        self.sent: list[str | None] = []
        self._losses = losses
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._inner.handle_request(request)
        self.sent.append(request.headers.get("idempotency-key"))
        if len(self.sent) <= self._losses:
            response.read()
            raise httpx.ReadError("the connection broke after the request was read")
        return response


class GoesAway(httpx.BaseTransport):
    """Sends each request but those, from the second on, that a service which is away leaves without its answer."""

    def __init__(self, *away: httpx.Response | httpx.TransportError) -> None:
        self.asked = 0
        self._away = away
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        if not 1 < self.asked <= len(self._away) + 1:
            return self._inner.handle_request(request)
        answer = self._away[self.asked - 2]
        if isinstance(answer, httpx.TransportError):
            raise answer
        return answer


class Receiver:
    def __init__(self, secret: str) -> None:
        self.events: list[dict[str, Any]] = []
        self.raw: list[tuple[dict[str, str], bytes]] = []
        self.came = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = dict(self.headers.items())
                event = outdial.verify_webhook(headers, body, secret)
                self.send_response(204)
                self.end_headers()
                with receiver.came:
                    receiver.raw.append((headers, body))
                    receiver.events.append(event)
                    receiver.came.notify_all()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class ClientTest(unittest.TestCase):
    client: Any

    @classmethod
    def setUpClass(cls) -> None:
        made = api_keys_create.sync(client=outdial.connect(URL, token=TOKEN), body=CreateApiKey(name="Signs"))
        # It signs all tokens of these tests.
        cls.client = outdial.connect(URL, key=outdial.ApiKey(made.key_id, made.secret))
        config = {"name": "Reminder", "languages": {"english": {"prompt": "Remind {{name}}."}}}
        agent = agents_create.sync(client=cls.client, body=AgentConfig.from_dict(config))
        line = {"name": "Line", "phoneNumbers": [PHONE_NUMBER], "outbound": {"address": "sip.example.com"}}
        phone_numbers_create.sync(client=cls.client, body=CreatePhoneNumbers.from_dict(line))
        rule = {"name": "Out", "type": "outbound", "phoneNumbers": [PHONE_NUMBER], "agentId": agent.agent_id}
        routing_rules_create.sync(client=cls.client, body=CreateRoutingRule.from_dict(rule))

    def test_a_batch_from_a_file_is_followed_paged_through_and_its_webhooks_verify(self) -> None:
        secret = webhook_secret_get.sync(client=self.client).secret
        receiver = Receiver(secret)
        self.addCleanup(receiver.server.shutdown)
        called = numbers(7, 2_000)
        fields = {
            "name": "From a file",
            "phoneNumber": PHONE_NUMBER,
            "webhook": {"endpoint": receiver.url, "events": ["batchcall-started", "batchcall-completed"]},
        }
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "people.csv"
            path.write_bytes(csv(called))
            self.assertTrue(outdial.validate_batch_from_file(self.client, path, fields).valid)
            batch_id = outdial.create_batch_from_file(self.client, path, fields).batch_id
        seen: list[str] = []
        batch = outdial.wait_for_batch(
            self.client, batch_id, interval_seconds=0.1, on_progress=lambda each: seen.append(each.status.value)
        )
        self.assertEqual((batch.status.value, batch.progress), ("completed", 100))
        self.assertEqual(seen[-1], "completed")

        records = outdial.items_by_cursor(
            lambda cursor: batch_calls_list_records.sync(batch_id, client=self.client, cursor=cursor, per_page=2)
        )
        self.assertEqual([record.phone_number for record in records], called)

        with receiver.came:
            receiver.came.wait_for(lambda: len(receiver.events) == 2)
        self.assertEqual([each["event"] for each in receiver.events], ["batchcall-started", "batchcall-completed"])
        headers, body = receiver.raw[0]
        with self.assertRaises(WebhookVerificationError):
            outdial.verify_webhook(headers, body + b" ", secret)

    def test_waiting_goes_on_while_the_service_is_away_once_it_has_answered(self) -> None:
        fields = {"name": "Waited for", "phoneNumber": PHONE_NUMBER}
        content = io.BytesIO(csv(numbers(2, 5_000)))
        batch_id = outdial.create_batch_from_file(self.client, ("people.csv", content), fields).batch_id
        impatient = outdial.Patience(retries=0)
        away = GoesAway(httpx.Response(502), httpx.ConnectError("refused"), httpx.Response(503))
        client = outdial.connect(URL, token=TOKEN, transport=away, patience=impatient)
        batch = outdial.wait_for_batch(client, batch_id, interval_seconds=0.1)
        self.assertEqual(batch.status.value, "completed")
        self.assertGreater(away.asked, 4)

        other = outdial.create_batch_from_file(self.client, ("people.csv", content), {**fields, "open": True}).batch_id
        for_good = outdial.connect(
            URL, token=TOKEN, transport=GoesAway(*[httpx.Response(502)] * 1_000), patience=impatient
        )
        with self.assertRaises(outdial.OutdialError) as gave_up:
            outdial.wait_for_batch(for_good, other, interval_seconds=0.01, longest_away_seconds=0.05)
        self.assertEqual(gave_up.exception.status, 502)
        batch_calls_cancel.sync(other, client=self.client, body=BatchCallsCancelRequest())
        never = outdial.connect("http://127.0.0.1:1", token=TOKEN, patience=impatient)
        with self.assertRaises(outdial.OutdialError):
            outdial.wait_for_batch(never, batch_id)

    def test_a_list_without_cursors_is_gone_through_page_by_page(self) -> None:
        for name in ("A", "B", "C"):
            tools_create.sync(client=self.client, body=a_tool(name))
        tools = outdial.items_by_page(lambda page: tools_list.sync(client=self.client, page=page, per_page=2))
        self.assertLessEqual({"A", "B", "C"}, {tool.name for tool in tools})

    def test_a_stream_that_can_be_read_once_is_uploaded(self) -> None:
        reading, writing = os.pipe()
        with os.fdopen(writing, "wb") as sink:
            sink.write(csv(numbers(2, 3_000)))
        fields = {"name": "From a stream", "phoneNumber": PHONE_NUMBER}
        with os.fdopen(reading, "rb") as source:
            batch_id = outdial.create_batch_from_file(self.client, ("people.csv", source), fields).batch_id
        self.assertEqual(outdial.wait_for_batch(self.client, batch_id, interval_seconds=0.1).records_uploaded, 2)

    def test_an_error_has_every_fields_problem_the_status_and_the_request_id(self) -> None:
        wrong = {"name": "", "phoneNumber": "twelve", "recipients": [], "retry": {"retryOn": [], "retryDelays": []}}
        with self.assertRaises(outdial.OutdialError) as refused:
            batch_calls_create.sync(client=self.client, body=CreateBatchCallFromRecipients.from_dict(wrong))
        self.assertEqual(refused.exception.status, 400)
        self.assertTrue(refused.exception.request_id)
        self.assertLessEqual(
            {"name", "recipients", "retry.retryOn"}, {each.path for each in refused.exception.problems}
        )
        with self.assertRaises(outdial.OutdialError) as missing:
            batch_calls_get.sync("batch_of_another", client=self.client)
        self.assertEqual((missing.exception.status, missing.exception.problems), (404, ()))

    def test_a_batch_whose_answer_was_lost_is_made_once(self) -> None:
        transport = LosesAnswers(1)
        client = outdial.connect(URL, token=TOKEN, transport=transport)
        content = io.BytesIO(csv(numbers(1, 4_000)))
        fields = {"name": "Answer lost", "phoneNumber": PHONE_NUMBER, "open": True}
        made = outdial.create_batch_from_file(client, ("people.csv", content), fields)
        self.assertEqual(len(transport.sent), 2)
        self.assertEqual(len(set(transport.sent)), 1)
        listed = batch_calls_list.sync(client=client, search="Answer lost")
        self.assertEqual([each.batch_id for each in listed.data], [made.batch_id])
        batch_calls_cancel.sync(made.batch_id, client=client, body=BatchCallsCancelRequest())

    def test_what_has_no_idempotency_key_is_sent_once(self) -> None:
        tool = tools_create.sync(client=self.client, body=a_tool("Patched"))
        transport = LosesAnswers(9)
        client = outdial.connect(URL, token=TOKEN, transport=transport)
        with self.assertRaises(outdial.OutdialError) as lost:
            tools_update.sync(tool.tool_id, client=client, body=UpdateTool(name="Twice"))
        self.assertEqual(lost.exception.status, 0)
        self.assertEqual(len(transport.sent), 1)

    def test_too_many_requests_at_once_are_all_answered(self) -> None:
        accounts: list[str] = []
        threads = [
            threading.Thread(
                target=lambda: [accounts.append(account_get.sync(client=self.client).account_id) for _ in range(40)]
            )
            for _ in range(10)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(accounts), 400)
        self.assertEqual(len(set(accounts)), 1)


if __name__ == "__main__":
    unittest.main()
