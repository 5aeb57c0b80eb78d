"""Clients that use the servers of `gpu-estimate serve` as people and agents do.

Each client has a server of its own, edits a source at random, asks, kills the
server now and then, and compares each answer with what `gpu-estimate analyze`
says of the same text in a process of its own. A wrong answer, a server that
ends by itself, and memory that grows are AssertionErrors.
"""

import http.client
import json
import os
import random
import re
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ["saxpy", "transpose", "reduction", "histogram", "stencil2d",
            "vector_add"]
GPUS = ["nvidia-v100", "nvidia-a100-40gb-pcie", "nvidia-h200", "nvidia-t4"]
# What no client waits for: an answer that takes so long is a hang.
HUNG = 120
MODES = ["--no-cuda-sdk", "--ptxas", "off"]


class Text:
    """A source under random edits, most of which are taken back later, so that
    about half of its versions compile."""

    def __init__(self, chance):
        self.chance = chance
        self.restore()

    def restore(self):
        name = self.chance.choice(EXAMPLES)
        self.now = (ROOT / "examples" / f"{name}.cu").read_text()
        self.undo = []

    def edit(self):
        """(begin, end, new) of a change that `now` already has."""
        chance = self.chance
        if self.undo and chance.random() < 0.6:
            begin, end, new = self.undo.pop()
        elif chance.random() < 0.7:  # a number, as of a block or a trip count
            places = [m.start() for m in
                      re.finditer(r"(?<=[ (+*])[1-9](?=[ ;),])", self.now)]
            begin = chance.choice(places)
            end, new = begin + 1, str(chance.randrange(1, 10))
        else:
            begin = chance.randrange(len(self.now) + 1)
            end = min(len(self.now), begin + chance.choice([0, 0, 1, 5, 40]))
            new = chance.choice(["x", "{", "}\n", "/*", "[i]", "<<<", "\"", "",
                                 "__syncthreads();", self.now[:60]])
            self.undo.append((begin, begin + len(new), self.now[begin:end]))
        self.now = self.now[:begin] + new + self.now[end:]
        return begin, end, new


class Client:
    """A server, and the memory that it takes over its life."""
    NAME = ""

    def __init__(self, tool, folder, seed):
        self.tool, self.folder = str(tool), Path(folder)
        self.chance = random.Random(f"{self.NAME}-{seed}")
        self.text = Text(self.chance)
        self.asked = self.compared = self.kills = 0
        self.server = None

    def launch(self, *mode, **streams):
        self.samples = []  # (seconds, bytes)
        self.server = subprocess.Popen([self.tool, "serve", *mode, *MODES],
                                       cwd=self.folder, stdout=subprocess.PIPE,
                                       **streams)

    def kill(self):
        self.server.kill()
        self.server.wait()
        self.kills += 1
        self.begin()

    def step(self):
        """An edit and what is asked after it."""
        assert self.server.poll() is None, \
            f"{self.NAME}: the server has ended with {self.server.returncode}"
        self.asked += 1
        if self.asked % 200 == 0:
            self.change_source()
        self.ask()
        with open(f"/proc/{self.server.pid}/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
        self.samples.append((time.monotonic(), pages * os.sysconf("SC_PAGE_SIZE")))

    def growth(self):
        """Most memory of the last third of the server's life over that of the
        middle third."""
        first, last = self.samples[0][0], self.samples[-1][0]
        third = (last - first) / 3
        middle = [b for t, b in self.samples if third <= t - first < 2 * third]
        end = [b for t, b in self.samples if 2 * third <= t - first]
        return max(end) / max(middle) if middle and end else 1

    def analyze(self, format, *options):
        """What the command line says of the text: None where it fails."""
        file = self.folder / "alone" / "kernel.cu"
        file.parent.mkdir(exist_ok=True)
        file.write_text(self.text.now)
        done = subprocess.run(
            [self.tool, "analyze", str(file), "--format", format, *MODES,
             *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, timeout=HUNG, check=False)
        assert done.returncode >= 0, f"analyze ended by signal {-done.returncode}"
        try:
            return json.loads(done.stdout)
        except json.JSONDecodeError:
            return None

    def same(self, found, expected, what):
        self.compared += 1
        if found != expected:
            raise AssertionError(f"{self.NAME}: {what}: {found}\nbut the command "
                                 f"line says {expected}\nof {self.text.now}")


def comparable(estimates):
    """What both JSON formats have of an estimate."""
    return sorted(([e["location"]["line"], e["launch"]["grid"],
                    e["launch"]["block"], e["time_ms"], e["bottleneck"],
                    e["breakdown"], (e["interval"] or {}).get("low_ms")]
                   for e in estimates),
                  key=lambda row: json.dumps(row, sort_keys=True))


class Editor(Client):
    """`serve --lsp`"""
    NAME = "lsp"
    URI = "file:///nowhere/kernel.cu"

    def begin(self):
        self.launch("--lsp", stdin=subprocess.PIPE)
        self.last = self.version = 0
        self.gpu = GPUS[0]
        self.request("initialize", {"capabilities": {},
                                    "initializationOptions": {"gpu": self.gpu}})
        self.send("textDocument/didOpen", {"textDocument": {
            "uri": self.URI, "languageId": "cuda", "version": 0,
            "text": self.text.now}})
        self.diagnostics()

    def change_source(self):
        self.text.restore()
        self.version += 1
        self.send("textDocument/didChange", {
            "textDocument": {"uri": self.URI, "version": self.version},
            "contentChanges": [{"text": self.text.now}]})

    def send(self, method, params, **rest):
        message = json.dumps({"jsonrpc": "2.0", "method": method,
                              "params": params, **rest}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s"
                                % (len(message), message))
        self.server.stdin.flush()

    def until(self, wanted):
        while True:
            length = int(self.server.stdout.readline().split(b":")[1])
            self.server.stdout.readline()
            message = json.loads(self.server.stdout.read(length))
            if wanted(message):
                return message

    def request(self, method, params):
        self.last += 1
        self.send(method, params, id=self.last)
        return self.until(lambda m: m.get("id") == self.last)

    def diagnostics(self):
        return self.until(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and m["params"].get("version") == self.version)["params"]["diagnostics"]

    def position(self, offset):
        before = self.text.now[:offset]
        return {"line": before.count("\n"),
                "character": offset - before.rfind("\n") - 1}

    def type(self):
        old = self.text.now
        begin, end, new = self.text.edit()
        changed, self.text.now = self.text.now, old
        range_ = {"start": self.position(begin), "end": self.position(end)}
        self.text.now = changed
        self.version += 1
        self.send("textDocument/didChange", {
            "textDocument": {"uri": self.URI, "version": self.version},
            "contentChanges": [{"range": range_, "text": new}]})

    def ask(self):
        for _ in range(self.chance.choice([1, 1, 2, 5])):
            self.type()
        document = {"textDocument": {"uri": self.URI}}
        if self.chance.random() < 0.1:  # while the analysis runs
            place = self.position(self.chance.randrange(len(self.text.now)))
            self.last += 1
            self.send("textDocument/codeAction", {
                **document, "range": {"start": place, "end": place},
                "context": {"diagnostics": []}}, id=self.last)
            self.send("$/cancelRequest", {"id": self.last})
        found = self.diagnostics()
        if self.chance.random() < 0.1:
            self.gpu = self.chance.choice(GPUS)
            # The answer may come after the diagnostics that it causes.
            self.last += 1
            self.send("workspace/executeCommand", {
                "command": "gpu-estimate.setGpu", "arguments": [self.gpu]},
                id=self.last)
            found = self.diagnostics()
        place = self.position(self.chance.randrange(len(self.text.now)))
        self.request("textDocument/hover", {**document, "position": place})
        self.request("textDocument/inlayHint", document)
        self.request("textDocument/codeLens", document)
        log = self.analyze("sarif", "--gpu", self.gpu)
        self.same(
            sorted([d["code"], d["range"]["start"]["line"] + 1,
                    d["message"].split("\n")[0]] for d in found),
            sorted([r["ruleId"], r["locations"][0]["physicalLocation"]["region"]
                    ["startLine"], r["message"]["text"].split("\n")[0]]
                   for r in log["runs"][0]["results"]) if log else [],
            f"diagnostics on {self.gpu}")


class Agent(Client):
    """`serve --jsonl`"""
    NAME = "jsonl"

    def begin(self):
        self.launch("--" + self.NAME, stdin=subprocess.PIPE)
        self.last = 0

    def change_source(self):
        self.text.restore()

    def message(self, params):
        return {"id": self.last, "method": "estimate", "params": params}

    def estimates(self, answer):
        return answer["result"]["estimates"] if "result" in answer else None

    def ask(self):
        self.text.edit()
        gpu, block = self.chance.choice(GPUS), self.chance.choice([64, 128, 256])
        self.last += 1
        message = self.message({
            "source": self.text.now, "file": str(self.folder / "kernel.cu"),
            "gpu": gpu, "grid": 4096, "block": block})
        self.server.stdin.write(json.dumps(message).encode() + b"\n")
        self.server.stdin.flush()
        found = self.estimates(json.loads(self.server.stdout.readline()))
        log = self.analyze("json", "--gpu", gpu, "--grid", "4096", "--block",
                           str(block))
        self.same(comparable(found or []),
                  comparable(log["estimates"] if log else []),
                  f"estimates on {gpu} with blocks of {block}")


class Assistant(Agent):
    """`serve --mcp`"""
    NAME = "mcp"

    def message(self, params):
        return {"jsonrpc": "2.0", "id": self.last, "method": "tools/call",
                "params": {"name": "estimate", "arguments": params}}

    def estimates(self, answer):
        return answer["result"].get("structuredContent", {}).get("estimates")


class Browser(Client):
    """`serve --http`"""
    NAME = "http"

    def begin(self):
        self.launch("--http", "127.0.0.1:0", text=True)
        address = self.server.stdout.readline()
        port, self.token = re.match(r"http://127.0.0.1:(\d+)/\?token=(\w+)",
                                    address).groups()
        self.port = int(port)

    def change_source(self):
        self.text.restore()

    def post(self, path, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HUNG)
        connection.request("POST", path, body,
                           {"Authorization": "Bearer " + self.token})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text)

    def ask(self):
        self.text.edit()
        gpu, grid = self.chance.choice(GPUS), 2 ** self.chance.randrange(4, 20)
        (self.folder / "kernel.cu").write_text(self.text.now)
        if self.chance.random() < 0.1:
            status, _ = self.post("/api/estimate", self.chance.choice(
                [b"", b"{", b"x" * 100000, b'{"file": "../x.cu"}', b"[[[["]))
            assert status in (400, 413), status
        status, answer = self.post("/api/estimate", json.dumps({
            "file": "kernel.cu", "gpu": gpu, "grid": str(grid), "block": "128"}))
        assert status in (200, 422), (status, answer)
        log = self.analyze("json", "--gpu", gpu, "--grid", str(grid), "--block",
                           "128")
        self.same(comparable(answer.get("estimates", [])),
                  comparable(log["estimates"] if log else []),
                  f"estimates on {gpu} with {grid} blocks")


CLIENTS = [Editor, Agent, Assistant, Browser]
