'use strict';
// The built extension in a stand-in for the editor (vscode.js), with a real
// `gpu-estimate serve --lsp`: GPU_ESTIMATE is the program, EXAMPLES the folder
// of examples.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { after, before, test } = require('node:test');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { createEditor, Position, Range, CancellationTokenSource } = require('./vscode');

const program = process.env.GPU_ESTIMATE;
assert.ok(program, 'GPU_ESTIMATE names the program gpu-estimate');
const examples = process.env.EXAMPLES;
assert.ok(examples, 'EXAMPLES names the folder of examples');

const TEXT = `__global__ void copy(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[(i * 32) % n];
}
void start(const float *from, float *to) {
  copy<<<4096, 256>>>(from, to, 1048576);
}
`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gpu-estimate-vscode-'));
const editor = createEditor({
  path: program, gpu: 'nvidia-v100', parameters: { no_cuda_sdk: true, ptxas: 'off' },
}, folder);
const { shown } = editor;
const token = new CancellationTokenSource().token;

const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? editor.module : load(name, ...rest));
const extension = require('../dist/extension.js');
const context = { subscriptions: [] };

/** The next diagnostics of a document. */
function diagnostics(document) {
  return new Promise((resolve) => {
    shown.onDiagnostics = (uri, found) => {
      if (uri === document.uri.toString()) resolve(found);
    };
  });
}
const timeOf = (found) => found.find(({ code }) => (code?.value ?? code) === 'gpu-estimate-time')?.message;

let copy;
before(async () => {
  await extension.activate(context);
  const opened = new Promise((resolve) => { shown.onDiagnostics = resolve; });
  copy = await editor.open(path.join(folder, 'copy.cu'), 'cuda-cpp', TEXT);
  await opened;
});
after(async () => {
  await extension.deactivate();
  for (const one of context.subscriptions) one.dispose();
  fs.rmSync(folder, { recursive: true });
});

test('the version is that of the program', () => {
  const said = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout;
  assert.ok(said.includes(require('../package.json').version), said);
});

test('what the manifest offers is there, and nothing else', () => {
  const manifest = require('../package.json');
  const offered = manifest.contributes.commands.map(({ command }) => command).sort();
  const own = [...shown.commands.keys()].filter((name) => name.startsWith('gpuEstimate.')).sort();
  assert.deepStrictEqual(own, offered);
  assert.deepStrictEqual(shown.errors, []);
});

test('the status bar shows the GPU', () => {
  assert.match(shown.status.text, /NVIDIA Tesla V100 PCIe$/);
  assert.strictEqual(shown.status.command, 'gpuEstimate.selectGpu');
});

test('diagnostics, hover, lenses and hints of an open file', async () => {
  const found = shown.diagnostics.get(copy.uri.toString());
  assert.match(timeOf(found), /'copy' takes .* on NVIDIA Tesla V100 PCIe/);
  assert.ok(found.some(({ message }) => /32 sectors per request/.test(message)));
  const hover = await shown.providers.hover.provideHover(copy, new Position(0, 18), token);
  const contents = [].concat(hover.contents).map((part) => part.value ?? part).join('');
  assert.match(contents, /occupancy/);
  const lenses = await shown.providers.lens.provideCodeLenses(copy, token);
  assert.match(lenses[0].command.title, /^on NVIDIA Tesla V100 PCIe: .*bound by/);
  const hints = await shown.providers.hint.provideInlayHints(
    copy, new Range(new Position(0, 0), new Position(8, 0)), token);
  assert.match(String(hints[0].label), /^~[0-9.]+ us$/);
});

test('an edit changes the diagnostics', async () => {
  const found = diagnostics(copy);
  await editor.type(copy, '4096', '8192');
  assert.match(timeOf(await found), /grid 8192/);
});

test('another GPU from the quick pick', async () => {
  shown.pick = (items) => items.find(({ id }) => id === 'nvidia-h200');
  const found = diagnostics(copy);
  await shown.commands.get('gpuEstimate.selectGpu')();
  assert.match(timeOf(await found), /on NVIDIA H200/);
  assert.match(shown.status.text, /NVIDIA H200/);
  const items = shown.picks[0];
  assert.ok(items.length > 50 && items.some(({ description }) => description === 'nvidia-v100 (selected)'));
});

test('a quick pick that is left changes nothing', async () => {
  shown.pick = () => undefined;
  await shown.commands.get('gpuEstimate.selectGpu')();
  assert.match(shown.status.text, /NVIDIA H200/);
});

test('the report of the text in the editor', async () => {
  await shown.commands.get('gpuEstimate.showReport')();
  const [panel] = shown.panels;
  assert.strictEqual(panel.title, 'Report: copy.cu');
  assert.ok(panel.options.enableScripts);
  assert.match(panel.webview.html, /^<!doctype html>/i);
  assert.match(panel.webview.html, /8192/);
  assert.match(panel.webview.html, /NVIDIA H200/);
});

test('the code lens compares GPUs of its kernel, the command those of the file', async () => {
  const [lens] = await shown.providers.lens.provideCodeLenses(copy, token);
  await shown.commands.get(lens.command.command)(...lens.command.arguments);
  const panel = shown.panels.find(({ type }) => type === 'gpuEstimate.comparison');
  assert.strictEqual(panel.title, 'GPUs: copy');
  const rows = [...panel.webview.html.matchAll(/<tr><td>(.*?)<\/td><td class="number">(.*?)<\/td>/g)];
  assert.ok(rows.length > 50);
  assert.ok(rows.some(([, gpu]) => gpu === 'NVIDIA Tesla V100 PCIe'));
  const inUs = rows.map(([, , text]) => parseFloat(text) * (text.endsWith('ms') ? 1e3 : 1));
  assert.deepStrictEqual(inUs, [...inUs].sort((a, b) => a - b));
  await shown.commands.get('gpuEstimate.compareGpus')();
  assert.strictEqual(panel.title, 'GPUs: copy.cu');
  assert.strictEqual(shown.panels.length, 2);  // the panel is used again
});

test('the time line of a program', async () => {
  const file = path.join(folder, 'saxpy.cu');
  fs.copyFileSync(path.join(examples, 'saxpy.cu'), file);
  const saxpy = await editor.open(file, 'cuda-cpp', fs.readFileSync(file, 'utf8'));
  await shown.commands.get('gpuEstimate.showTimeline')();
  assert.deepStrictEqual(shown.errors, []);
  assert.strictEqual(saxpy.saves, 1);
  const panel = shown.panels.find(({ type }) => type === 'gpuEstimate.timeline');
  assert.strictEqual(panel.title, 'Time line: saxpy.cu');
  assert.match(panel.webview.html, /^<!doctype html>/i);
  assert.match(panel.webview.html, /saxpyRows/);
});

test('a time line that is cancelled is not shown, and leaves no process', async () => {
  const file = path.join(folder, 'endless.cu');
  fs.writeFileSync(file, 'int main() { for (volatile int i = 0;;) i = 1; }\n');
  await editor.open(file, 'cuda-cpp', fs.readFileSync(file, 'utf8'));
  const panels = shown.panels.length;
  shown.cancelsAfter = 3000;  // it is built by then, and runs
  await shown.commands.get('gpuEstimate.showTimeline')();
  shown.cancelsAfter = 0;
  assert.strictEqual(shown.panels.length, panels);
  assert.deepStrictEqual(shown.errors, []);
  const left = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((name) => {
    try {
      return fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('endless');
    } catch {
      return false;  // it has ended meanwhile
    }
  });
  assert.deepStrictEqual(left, []);
});

test('a program that does not build is told', async () => {
  const file = path.join(folder, 'broken.cu');
  fs.writeFileSync(file, 'int main() { return nothing; }\n');
  await editor.open(file, 'cuda-cpp', fs.readFileSync(file, 'utf8'));
  await shown.commands.get('gpuEstimate.showTimeline')();
  assert.match(shown.errors.pop(), /use of undeclared identifier 'nothing'/);
});

test('settings reach the server, and wrong ones are told', async () => {
  const found = diagnostics(copy);
  await editor.configure({ parameters: { no_cuda_sdk: true, ptxas: 'off', grid: 2048 } });
  assert.match(timeOf(await found), /grid 2048/);
  await editor.configure({ parameters: { no_cuda_sdk: true, cache: 'cold' } });
  for (let waited = 0; !shown.errors.length && waited < 200; ++waited)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.match(shown.errors.pop(), /no parameter is called 'cache'; did you mean 'caches'/);
});

test('a program that is not there', async () => {
  await editor.configure({ path: '/nowhere/gpu-estimate', parameters: {} });
  assert.match(shown.status.text, /warning/);
  assert.match(shown.status.tooltip, /nowhere\/gpu-estimate does not start/);
  shown.errors.length = 0;
});
