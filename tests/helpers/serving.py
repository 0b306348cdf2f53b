"""A real server over loopback, on a port that the system chooses, and requests to it."""

import http.client
import json
import re
import signal
import subprocess
from contextlib import contextmanager
from typing import NamedTuple

from helpers.command import COMMAND

JSON = {"Content-Type": "application/json"}


class Answer(NamedTuple):
    status: int
    headers: dict
    body: bytes

    @property
    def value(self):
        return json.loads(self.body)

    @property
    def message(self):
        return self.value["error"]["message"]


class Client(NamedTuple):
    host: str
    port: int

    @property
    def url(self):
        return f"http://{self.host}:{self.port}/"

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())
        finally:
            connection.close()

    def get(self, path, **headers):
        return self.ask("GET", path, headers=headers)

    def post(self, path, value, headers=None):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        return self.ask("POST", path, body, {**JSON, **(headers or {})})

    def page(self, name, **value):
        return self.post(f"/page/call/{name}", value)


@contextmanager
def serving(*arguments, **options):
    """`runoff serve` in a process of its own; it is stopped by a signal, and must end well."""
    command = [*COMMAND, "serve", *map(str, arguments), "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **options)
    try:
        line = process.stderr.readline()
        found = re.search(r"http://([\d.]+|localhost):(\d+)/", line)
        assert found, line + process.stderr.read()
        yield Client("127.0.0.1", int(found[2]))
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors, errors
    assert process.returncode in (0, 130), errors
