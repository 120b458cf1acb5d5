"""What the stand-ins of stores have in common: their command line, the numbers of fields, and a server of HTTP.

  --load FILE        begins with these profiles: [{"labels": {}, "time": SECONDS, "pprof": PATH}]
  --save DIRECTORY   keeps the body of the last request for each method there
  --change FIELD=N   another number for a field: what no store does
  --fields           prints the names of all fields, and ends

LOG gets one line of JSON for each request.
"""

import argparse
import http.server
import json
import sys

from messages import Profile, fields, save


class Refusal(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Fields:
    """Numbers of fields by "Message.field". A request that has another field is refused: a real server would skip
    it, and so not notice that it was sent something by a wrong number."""

    def __init__(self, numbers, invalid):
        self.numbers, self.invalid = numbers, invalid

    def __call__(self, name):
        return self.numbers[name]

    def check(self, message, kind):
        """`message`, if all its fields are those of the message `kind`."""
        known = {number for name, number in self.numbers.items() if name.startswith(kind + ".")}
        for number, _ in fields(message):
            if number not in known:
                raise Refusal(self.invalid, f"{kind} has no field {number}")
        return message


def arguments(texts=(), flags=(), numbers=()):
    """A parser of what all stand-ins take, and of these options."""
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("log")
    for name in ("load", "save", *texts):
        parser.add_argument(f"--{name}")
    for name, value in numbers:
        parser.add_argument(f"--{name}", type=int, default=value)
    for name in flags:
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--change", action="append", default=[])
    return parser


def parse(parser, names):
    """The options; `names` changes by --change."""
    if "--fields" in sys.argv:
        print(*sorted(names), sep="\n")
        sys.exit()
    options = parser.parse_args()
    for change in options.change:
        name, value = change.split("=")
        assert name in names, name
        names[name] = int(value)
    return options


def loaded(options):
    """(labels, seconds, profile) of each profile of --load."""
    for one in json.load(open(options.load)) if options.load else []:
        profile = Profile.parse(open(one["pprof"], "rb").read())
        profile.time = int(one["time"] * 1e9)
        yield dict(one["labels"]), one["time"], profile


class Handler(http.server.BaseHTTPRequestHandler):
    """Subclasses have `options`, and answer()."""

    protocol_version = "HTTP/1.1"
    options = None

    def log_message(self, *_):
        pass

    def send(self, status, body, kind, headers=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.write(body)

    def write(self, body):
        self.wfile.write(body)

    def take(self, more):
        """The body of a request, which the log gets a line of, with `more(body)`."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.options.save:
            save(f"{self.options.save}/{self.path.rsplit('/', 1)[1]}", self.saved(body))
        with open(self.options.log, "a") as log:
            print(json.dumps({"path": self.path, **more(body)}), file=log)
        return body

    def saved(self, body):
        return body


def serve(handler, options):
    handler.options = options
    http.server.ThreadingHTTPServer(("127.0.0.1", options.port), handler).serve_forever()
