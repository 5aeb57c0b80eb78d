"""A client of `gpu-estimate serve --lsp`, for the tests of this folder."""
import json
import subprocess


class Editor:
    def __init__(self, command):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
        self.last = 0
        self.waiting = []

    def send(self, method, params, **rest):
        message = json.dumps({"jsonrpc": "2.0", "method": method,
                              "params": params, **rest}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s"
                                % (len(message), message))
        self.server.stdin.flush()

    def reply(self, request, result):
        message = json.dumps({"jsonrpc": "2.0", "id": request["id"],
                              "result": result}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s"
                                % (len(message), message))
        self.server.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.server.stdout.readline().strip()):
            name, value = line.split(b":")
            assert name == b"Content-Length", line
            length = int(value)
        assert length, "the server has ended"
        return json.loads(self.server.stdout.read(length))

    def until(self, wanted):
        """The first message, old or new, that is wanted."""
        for message in self.waiting:
            if wanted(message):
                self.waiting.remove(message)
                return message
        while not wanted(message := self.receive()):
            self.waiting.append(message)
        return message

    def start(self, method, params):
        """Asks without waiting; the id."""
        self.last += 1
        self.send(method, params, id=self.last)
        return self.last

    def answer(self, me):
        return self.until(lambda m: m.get("id") == me and "method" not in m)

    def ask(self, method, params):
        answer = self.answer(self.start(method, params))
        return answer.get("result", answer.get("error"))

    def initialize(self, **options):
        return self.ask("initialize", {"capabilities": {}, **options})

    def open(self, uri, text, version=1):
        self.send("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "cuda-cpp", "version": version,
            "text": text}})

    def replace(self, uri, text, version):
        self.send("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": text}]})

    def diagnostics(self, version):
        return self.until(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and m["params"].get("version") == version)["params"]["diagnostics"]

    def leave(self):
        self.ask("shutdown", None)
        self.send("exit", None)
        return self.server.wait()
