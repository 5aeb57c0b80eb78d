"""random_edits.py COUNT COMMAND...: an editor that types, deletes and pastes
at random, without waiting, and then takes all back. What it is told at the end
is what it was told at the start, and the server has not grown much."""
import json
import random
import subprocess
import sys

TEXT = """__global__ void copy(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[(i * 32) % n];
}
void start(const float *from, float *to) {
  copy<<<4096, 256>>>(from, to, 1048576);
}
"""
URI = "file:///nowhere/copy.cu"
random.seed(7)
count = int(sys.argv[1])
server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE)


def send(method, params, **rest):
    message = json.dumps({"jsonrpc": "2.0", "method": method, "params": params,
                          **rest}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(message), message))
    server.stdin.flush()


def receive():
    length = int(server.stdout.readline().split(b":")[1])
    server.stdout.readline()
    return json.loads(server.stdout.read(length))


def diagnostics(version):
    while True:
        message = receive()
        if (message.get("method") == "textDocument/publishDiagnostics"
                and message["params"].get("version") == version):
            return message["params"]["diagnostics"]


def megabytes():
    with open(f"/proc/{server.pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    return 0


def position(text, offset):
    before = text[:offset]
    return {"line": before.count("\n"), "character": offset - before.rfind("\n") - 1}


send("initialize", {"capabilities": {}}, id=1)
receive()
send("textDocument/didOpen", {"textDocument": {
    "uri": URI, "languageId": "cuda", "version": 0, "text": TEXT}})
first = diagnostics(0)
assert any("uncoalesced" in found["code"] for found in first), first
middle = 0
text, undo, version = TEXT, [], 0
for step in range(count):
    begin = random.randrange(len(text) + 1)
    end = min(len(text), begin + random.choice([0, 0, 0, 1, 5, 40]))
    new = random.choice(["x", "{", "}\n", "/*", "[i]", "<<<", "\"", "", text[:60]])
    undo.append((begin, begin + len(new), text[begin:end]))
    version += 1
    send("textDocument/didChange", {
        "textDocument": {"uri": URI, "version": version}, "contentChanges": [
            {"range": {"start": position(text, begin), "end": position(text, end)},
             "text": new}]})
    text = text[:begin] + new + text[end:]
    if step % 10 == 9:  # one in ten texts is analysed for sure
        diagnostics(version)
    if step == count // 2:
        middle = megabytes()
for begin, end, old in reversed(undo):
    version += 1
    send("textDocument/didChange", {
        "textDocument": {"uri": URI, "version": version}, "contentChanges": [
            {"range": {"start": position(text, begin), "end": position(text, end)},
             "text": old}]})
    text = text[:begin] + old + text[end:]
assert text == TEXT
assert diagnostics(version) == first
print(f"from {middle:.0f} to {megabytes():.0f} MiB")
assert megabytes() < 1.3 * middle
send("shutdown", None, id=2)
while receive().get("id") != 2:
    pass
send("exit", None)
assert server.wait() == 0
print("all edits are taken back")
