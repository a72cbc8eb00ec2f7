"""A local stand-in for the Messages API: real HTTP on 127.0.0.1, so that no test can reach the network.

    with MessagesServer("HTTP 429.", 429, refusal) as server:
        client = anthropic.Anthropic(base_url=server.url, api_key="test-key")

Each request takes the next reply of the script, and the last one again when the script is at its end: a text
(an ordinary reply), a whole number (an error of that status), a dict (the reply's body, over the usual one),
bytes (the whole body), or a float (a body that trickles in for so many seconds). A client is asked to wait
`retry_after` seconds after an error. `server.requests` keeps path, headers (lower-case names) and body of
every request.
"""

import json
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# What the API refuses, so that a test would notice if Docent sent it.
REFUSED = ("temperature", "top_p", "top_k")
PAUSE = 0.05  # seconds between two bytes of what trickles in


def text_block(text):
    return {"type": "text", "text": text}


def reply_body(model, reply):
    """Return the body of a reply: a text becomes one text block, a dict replaces parts of the usual body."""
    usual = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [text_block(reply)] if isinstance(reply, str) else [],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 12, "output_tokens": 5},
    }
    return usual | (reply if isinstance(reply, dict) else {})


def error_body(status, message):
    return {"type": "error", "error": {"type": "api_error", "message": message}}


class MessagesServer:
    def __init__(self, *script, retry_after="0.001"):
        self.script, self.retry_after = script, retry_after
        self.requests = []

    def answer(self, path, headers, body):
        """Keep a request and return the status and body of its reply."""
        reply = self.script[min(len(self.requests), len(self.script) - 1)]
        self.requests.append({"path": path, "headers": headers, "body": body})
        unwanted = [name for name in REFUSED if name in body]
        if unwanted:
            return 400, error_body(400, f"{unwanted[0]}: Extra inputs are not permitted")
        if isinstance(reply, int):
            return reply, error_body(reply, f"the stand-in says {reply}")
        if isinstance(reply, float):
            return 200, b" " * int(reply / PAUSE)
        return 200, reply if isinstance(reply, bytes) else reply_body(body["model"], reply)

    def __enter__(self):
        here = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                status, reply = here.answer(self.path, headers, body)
                data = reply if isinstance(reply, bytes) else json.dumps(reply).encode("utf-8")
                kind = "text/html" if data.startswith(b"<") else "application/json"
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.send_header("retry-after", here.retry_after)
                self.end_headers()
                with suppress(OSError):  # the client may have gone
                    for piece in [b" "] * len(data) if data.isspace() else [data]:
                        self.wfile.write(piece)
                        time.sleep(PAUSE if piece == b" " else 0)

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
