"""editor.py COMMAND...: an editor that opens a kernel, asks for what it shows,
edits, changes the GPU, breaks and mends the text, and leaves. It prints what it
is told."""
import json
import sys

from lsp import Editor

TEXT = """// Gr\u00fc\u00dfe \U0001f600
#define BLOCK 256
__global__ void copy(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[(i * 32) % n];
}
void start(const float *from, float *to) {
  copy<<<4096, BLOCK>>>(from, to, 1048576);
}
"""
URI = "file:///nowhere/a%20b/copy.cu"


def show(title, value):
    print(title, json.dumps(value, sort_keys=True))


editor = Editor(sys.argv[1:])
here = {"textDocument": {"uri": URI}}
show("initialize", editor.ask("initialize", {
    "capabilities": {"workspace": {"codeLens": {"refreshSupport": True}}},
    "initializationOptions": {"gpu": ["nvidia-v100"]}}))
editor.send("initialized", {})
editor.send("textDocument/didOpen", {"textDocument": {
    "uri": URI, "languageId": "cuda-cpp", "version": 1, "text": TEXT}})
for found in editor.diagnostics(1):
    show("diagnostic", found)
show("refresh", editor.until(lambda m: "refresh" in m.get("method", ""))["method"])
show("hover kernel", editor.ask("textDocument/hover", {
    **here, "position": {"line": 2, "character": 18}}))
show("hover line", editor.ask("textDocument/hover", {
    **here, "position": {"line": 5, "character": 4}}))
show("hover nothing", editor.ask("textDocument/hover", {
    **here, "position": {"line": 0, "character": 0}}))
show("hints", editor.ask("textDocument/inlayHint", here))
show("lenses", editor.ask("textDocument/codeLens", here))

# One change behind a character of two UTF-16 units, and one of the block.
editor.send("textDocument/didChange", {
    "textDocument": {"uri": URI, "version": 2}, "contentChanges": [
        {"range": {"start": {"line": 0, "character": 11},
                   "end": {"line": 0, "character": 11}}, "text": "!"},
        {"range": {"start": {"line": 1, "character": 14},
                   "end": {"line": 1, "character": 17}}, "text": "128"}]})
editor.diagnostics(2)
show("edited", editor.ask("textDocument/hover", {
    **here, "position": {"line": 2, "character": 18}})["contents"]["value"])

# A text that does not compile has no diagnostics, but keeps its hover.
editor.send("textDocument/didChange", {
    "textDocument": {"uri": URI, "version": 3},
    "contentChanges": [{"text": "nonsense"}]})
show("broken", editor.diagnostics(3))
show("kept", editor.ask("textDocument/hover", {
    **here, "position": {"line": 2, "character": 18}}) is not None)

editor.send("textDocument/didChange", {
    "textDocument": {"uri": URI, "version": 4}, "contentChanges": [{"text": TEXT}]})
editor.diagnostics(4)
editor.ask("workspace/executeCommand",
           {"command": "gpu-estimate.setGpu", "arguments": ["nvidia-h200"]})
show("other gpu", editor.diagnostics(4))
compared = editor.ask("workspace/executeCommand", {
    "command": "gpu-estimate.compareGpus", "arguments": [URI, "copy"]})
print("compared", len({e["gpu"] for e in compared["estimates"]}) > 20)
gpus = editor.ask("workspace/executeCommand", {"command": "gpu-estimate.gpus"})
print("gpus", [g["name"] for g in gpus["gpus"] if g["id"] == "nvidia-h200"])
# The report is of the text in the editor, which no file has.
report = editor.ask("workspace/executeCommand", {
    "command": "gpu-estimate.showReport", "arguments": [URI]})["html"]
print("report", report.lower().startswith("<!doctype html>"), "NVIDIA H200" in report,
      "from[(i * 32) % n]" in report, report.count("<svg") > 3)
show("no report", editor.ask("workspace/executeCommand", {
    "command": "gpu-estimate.showReport", "arguments": ["file:///closed.cu"]}))
show("unknown", editor.ask("textDocument/rename", here))
editor.send("workspace/didChangeConfiguration",
            {"settings": {"gpu-estimate": {"gpus": "nvidia-a40"}}})
show("message", editor.until(
    lambda m: m.get("method") == "window/showMessage")["params"])
editor.send("textDocument/didClose", here)
show("closed", editor.until(
    lambda m: m.get("method") == "textDocument/publishDiagnostics"
    and "version" not in m["params"])["params"])
show("shutdown", editor.ask("shutdown", {}))
editor.send("exit", {})
print("status", editor.server.wait())
