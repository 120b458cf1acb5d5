#!/usr/bin/env python3
"""Passes requests on to a server, and breaks one off: breaking_proxy.py PORT SERVER-PORT

When the current directory has a file `break`, with a regular expression and "body" or "answer" on two lines, the first
request whose head matches is broken off: in the middle of its body, or when the server has answered it. The file goes
away, `broken` appears, and the connection is closed as soon as there is a file `go`. All that listens is on 127.0.0.1.
"""
import http.server
import pathlib
import re
import socket
import sys
import time

port, server_port = map(int, sys.argv[1:])


def read_head(stream):
    head = b""
    while line := stream.readline():
        head += line
        if line == b"\r\n":
            break
    return head


def length_of(head):
    found = re.search(rb"\r\ncontent-length: *(\d+)", head, re.I)
    return int(found[1]) if found else 0


def wanted_break(head):
    """Where to break this request off: "body", "answer", or nowhere."""
    file = pathlib.Path("break")
    if not file.exists():
        return ""
    pattern, place = file.read_text().split("\n")[:2]
    return place if re.search(pattern.encode(), head, re.S) else ""


def wait_for_go():
    pathlib.Path("break").unlink()
    pathlib.Path("broken").touch()
    end = time.monotonic() + 60
    while not pathlib.Path("go").exists() and time.monotonic() < end:
        time.sleep(0.02)


class Handler(http.server.socketserver.StreamRequestHandler):
    def handle(self):
        head = read_head(self.rfile)
        body = self.rfile.read(length_of(head))
        place = wanted_break(head) if head else ""
        # Each request has a connection of its own.
        head = re.sub(rb"\r\nconnection:[^\r]*", b"", head, flags=re.I)[:-2] + b"Connection: close\r\n\r\n"
        try:
            with socket.create_connection(("127.0.0.1", server_port)) as server:
                server.sendall(head + (body[: len(body) // 2] if place == "body" else body))
                if place == "body":
                    wait_for_go()
                    return
                answer = server.makefile("rb").read()
                if place == "answer":
                    wait_for_go()
                    return
                self.wfile.write(answer)
        except OSError:
            return  # the server is gone: the connection is closed without an answer


class Server(http.server.socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Server(("127.0.0.1", port), Handler).serve_forever()
