"""Stands between Reverie and a real upstream, passes everything on, and writes down every request body that it saw.

recorder.py UPSTREAM FILE: prints its own address and serves until standard input ends. One line of JSON a request.
"""

import http.client
import http.server
import sys
import threading
import urllib.parse

upstream = urllib.parse.urlsplit(sys.argv[1])
seen = open(sys.argv[2], "ab", buffering=0)
lock = threading.Lock()
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "host", "content-length"}


class Recorder(http.server.BaseHTTPRequestHandler):
    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if body:
            with lock:
                seen.write(body.replace(b"\n", b" ") + b"\n")
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        connection = http.client.HTTPConnection(upstream.hostname, upstream.port, timeout=300)
        connection.request(self.command, self.path, body or None, headers)
        answer = connection.getresponse()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("connection", "close")
        self.end_headers()
        while piece := answer.read1(65536):
            self.wfile.write(piece)
            self.wfile.flush()
        connection.close()
        self.close_connection = True

    do_GET = do_POST = pass_on

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}", flush=True)
sys.stdin.read()
