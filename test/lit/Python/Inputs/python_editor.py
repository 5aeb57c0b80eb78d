"""python_editor.py FILE COMMAND...: opens a Python file and prints what is shown."""
import sys

from lsp import Editor

path = sys.argv[1]
uri = f"file://{path}"
editor = Editor(sys.argv[2:])
editor.initialize()
with open(path, encoding="utf-8") as file:
    editor.send("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "python", "version": 1, "text": file.read()}})
for found in sorted(editor.diagnostics(1), key=lambda d: d["range"]["start"]["line"]):
    print("diagnostic", found["range"]["start"]["line"], found["code"], found["message"])
print("hover", editor.ask("textDocument/hover", {
    "textDocument": {"uri": uri}, "position": {"line": 9, "character": 18}}))
for hint in editor.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}}):
    print("hint", hint["position"]["line"], hint["label"])
print("status", editor.leave())
