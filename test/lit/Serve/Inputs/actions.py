"""actions.py FOLDER COMMAND...: an editor that asks for the code actions of
kernels, applies each one, and writes the changed texts into the folder. It
prints the titles."""
import sys
from pathlib import Path

from lsp import Editor

SOURCES = {
    # A column of a tile is in one bank.
    "padding": """#define TILE 32
__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += 8)
    tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += 8)
    out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}
void start(const float *in, float *out) {
  dim3 grid(128, 128), block(32, 8);
  transpose<<<grid, block>>>(in, out, 4096);
}
""",
    # The same tile, of which a pointer is taken: no padding is safe.
    "escaped": """#define TILE 32
__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[TILE][TILE];
  float *flat = &tile[0][0];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += 8)
    flat[(threadIdx.y + i) * TILE + threadIdx.x] = in[(y + i) * n + x];
  __syncthreads();
  for (int i = 0; i < TILE; i += 8)
    out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}
void start(const float *in, float *out) {
  dim3 grid(128, 128), block(32, 8);
  transpose<<<grid, block>>>(in, out, 4096);
}
""",
    # The sum is stored in each iteration, as the next one may read it.
    "restrict": """template <typename T>
__global__ void smooth(const T *from, const T *scale, T *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 64; ++k)
    to[i] += from[i + k] * scale[k];
}
void start(const float *from, const float *scale, float *to) {
  smooth<float><<<8192, 256>>>(from, scale, to, 1 << 20);
}
""",
    # The same, but two arguments are one buffer.
    "aliased": """__global__ void smooth(const float *from, const float *scale, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 64; ++k)
    to[i] += from[i + k] * scale[k];
}
void start(float *data, const float *scale) {
  smooth<<<8192, 256>>>(data, scale, data, 1 << 20);
}
""",
    # 32 threads a block leave most warps of a multiprocessor empty.
    "block": """#define THREADS 32
__global__ void scale(const float *from, float *to, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = a * from[i] + sqrtf(from[i]);
}
void start(const float *from, float *to) {
  int n = 1 << 24;
  scale<<<(n + THREADS - 1) / THREADS, THREADS>>>(from, to, 2.f, n);
}
""",
    # The same with shared memory of a fixed size: a larger block would not fit.
    "fixed": """#define THREADS 32
__global__ void scale(const float *from, float *to, float a, int n) {
  __shared__ float part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = from[i];
  __syncthreads();
  to[i] = a * part[threadIdx.x ^ 1];
}
void start(const float *from, float *to) {
  int n = 1 << 24;
  scale<<<(n + THREADS - 1) / THREADS, THREADS>>>(from, to, 2.f, n);
}
""",
}


def offset(text, position):
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[:position["line"]]) + position["character"]


def apply(text, edits):
    for edit in sorted(edits, key=lambda e: offset(text, e["range"]["start"]),
                       reverse=True):
        begin, end = (offset(text, edit["range"][k]) for k in ("start", "end"))
        text = text[:begin] + edit["newText"] + text[end:]
    return text


folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
editor = Editor(sys.argv[2:])
editor.initialize()
for name, text in SOURCES.items():
    path = folder / f"{name}.cu"
    uri = f"file://{path}"
    editor.open(uri, text)
    assert editor.diagnostics(1), f"{name} does not compile"
    line = next(i for i, l in enumerate(text.split("\n")) if "__global__" in l)
    here = {"start": {"line": line, "character": 0},
            "end": {"line": line, "character": 0}}
    actions = editor.ask("textDocument/codeAction", {
        "textDocument": {"uri": uri}, "range": here,
        "context": {"diagnostics": []}, "workDoneToken": name})
    print(name, "has", len(actions))
    for number, action in enumerate(actions):
        print(name, action["kind"], action["title"])
        changed = apply(text, action["edit"]["changes"][uri])
        (folder / f"{name}.{number}.cu").write_text(changed)
        for old, new in zip(text.split("\n"), changed.split("\n")):
            if old != new:
                print(name, "line:", new)
        # What was told is what the changed text takes.
        editor.replace(uri, changed, 2 + number)
        editor.diagnostics(2 + number)
    empty = editor.ask("textDocument/codeAction", {
        "textDocument": {"uri": uri}, "range": here,
        "context": {"diagnostics": [], "only": ["source.organizeImports"]}})
    assert empty == [], empty
    if actions:
        kinds = [m["params"]["value"]["kind"] for m in editor.waiting
                 if m.get("method") == "$/progress" and m["params"]["token"] == name]
        assert kinds[0] == "begin" and kinds[-1] == "end" and "report" in kinds, kinds
        print(name, "progress was told")
print("status", editor.leave())
