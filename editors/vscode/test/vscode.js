'use strict';
// A small stand-in for the module `vscode`: what the extension and its language
// client use of the editor. It keeps documents and settings, fires the editor's
// events, and records what is shown. The server behind it is the real one.

const { URI } = require('vscode-uri');

class Disposable {
  constructor(run = () => {}) { this.run = run; }
  dispose() { this.run(); }
  static from(...all) { return new Disposable(() => all.forEach((one) => one.dispose())); }
}

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener, self) => {
      const bound = self ? listener.bind(self) : listener;
      this.listeners.add(bound);
      return new Disposable(() => this.listeners.delete(bound));
    };
  }
  fire(value) { return Promise.all([...this.listeners].map((listener) => listener(value))); }
  dispose() { this.listeners.clear(); }
}

class CancellationTokenSource {
  constructor() {
    const emitter = new EventEmitter();
    this.emitter = emitter;
    this.token = { isCancellationRequested: false, onCancellationRequested: emitter.event };
  }
  cancel() {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose() {}
}

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
  constructor(start, end) { Object.assign(this, { start, end }); }
}
class Diagnostic {
  constructor(range, message, severity) { Object.assign(this, { range, message, severity }); }
}
class MarkdownString {
  constructor(value = '') { this.value = value; }
}
class CodeLens {
  constructor(range, command) { Object.assign(this, { range, command }); }
}
class InlayHint {
  constructor(position, label, kind) { Object.assign(this, { position, label, kind }); }
}
class Hover {
  constructor(contents, range) { Object.assign(this, { contents, range }); }
}

class TextDocument {
  constructor(file, languageId, text) {
    Object.assign(this, { uri: URI.file(file), fileName: file, languageId, text, version: 1, saves: 0 });
  }
  getText() { return this.text; }
  async save() { ++this.saves; return true; }
}

/** Members that nobody named: classes, events and registrations of other features. */
function lenient(named) {
  return new Proxy(named, {
    get(target, name) {
      if (name in target || typeof name === 'symbol') return target[name];
      if (/^on[A-Z]/.test(name)) return (target[name] = new EventEmitter().event);
      if (/^(register|create)[A-Z]/.test(name)) return (target[name] = () => new Disposable());
      if (/^[A-Z]/.test(name)) return (target[name] = class {});
      return undefined;
    },
  });
}

/** An editor. Settings: those of the section 'gpu-estimate', by name. */
function createEditor(settings, folder) {
  const shown = {
    providers: {}, diagnostics: new Map(), panels: [], errors: [], picks: [],
    commands: new Map(), status: undefined, progress: [],
    /** Called with the items of a quick pick; returns the chosen one. */
    pick: () => undefined,
    /** Called when diagnostics of a document come. */
    onDiagnostics: () => {},
    /** Milliseconds after which a progress is cancelled; 0: never. */
    cancelsAfter: 0,
  };
  const events = Object.fromEntries(
    ['open', 'change', 'close', 'configuration'].map((name) => [name, new EventEmitter()]));

  const provider = (kind) => (selector, one) => {
    shown.providers[kind] = one;
    return new Disposable();
  };
  const languages = lenient({
    match: (selector, { languageId }) =>
      (Array.isArray(selector) ? selector : [selector])
        .some((filter) => filter.language === languageId) ? 10 : 0,
    createDiagnosticCollection: () => ({
      set(uri, found) {
        shown.diagnostics.set(uri.toString(), found ?? []);
        shown.onDiagnostics(uri.toString(), found ?? []);
      },
      delete(uri) { shown.diagnostics.delete(uri.toString()); },
      clear() { shown.diagnostics.clear(); },
      dispose() {},
    }),
    registerHoverProvider: provider('hover'),
    registerCodeLensProvider: provider('lens'),
    registerInlayHintsProvider: provider('hint'),
    registerCodeActionsProvider: provider('action'),
  });
  const workspace = lenient({
    workspaceFolders: folder ? [{ uri: URI.file(folder), name: 'project', index: 0 }] : undefined,
    textDocuments: [],
    notebookDocuments: [],
    onDidOpenTextDocument: events.open.event,
    onDidChangeTextDocument: events.change.event,
    onDidCloseTextDocument: events.close.event,
    onDidChangeConfiguration: events.configuration.event,
    getConfiguration: (section) => ({
      get: (name, otherwise) => (section === 'gpu-estimate' ? settings[name] : undefined) ?? otherwise,
      update: (name, value) => api.configure({ [name]: value }),
    }),
  });
  const window = lenient({
    activeTextEditor: undefined,
    visibleTextEditors: [],
    tabGroups: lenient({ all: [], activeTabGroup: { tabs: [] } }),
    createOutputChannel: () => lenient({
      append() {}, appendLine() {}, show() {}, clear() {}, dispose() {},
      replace() {}, hide() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {},
    }),
    createStatusBarItem: () => (shown.status = { show() {}, hide() {}, dispose() {} }),
    showQuickPick: async (items) => {
      shown.picks.push(await items);
      return shown.pick(await items);
    },
    showErrorMessage: async (text) => { shown.errors.push(text); },
    showWarningMessage: async (text) => { shown.errors.push(text); },
    showInformationMessage: async () => {},
    withProgress: (options, work) => {
      const cancellation = new CancellationTokenSource();
      shown.progress.push(options.title);
      const done = work({ report() {} }, cancellation.token);
      if (shown.cancelsAfter) setTimeout(() => cancellation.cancel(), shown.cancelsAfter);
      return done;
    },
    createWebviewPanel: (type, title, column, options) => {
      const closed = new EventEmitter();
      const panel = {
        type, title, options, webview: { html: '' }, onDidDispose: closed.event,
        reveal() {}, dispose() { closed.fire(); },
      };
      shown.panels.push(panel);
      return panel;
    },
  });
  const commands = {
    registerCommand: (name, run) => {
      if (shown.commands.has(name)) throw new Error(`command '${name}' already exists`);
      shown.commands.set(name, run);
      return new Disposable(() => shown.commands.delete(name));
    },
    executeCommand: async (name, ...args) => shown.commands.get(name)(...args),
  };
  const api = {
    shown,
    /** Opens a document in the active editor. */
    async open(file, languageId, text) {
      const document = new TextDocument(file, languageId, text);
      workspace.textDocuments.push(document);
      window.activeTextEditor = { document };
      await events.open.fire(document);
      return document;
    },
    /** Replaces a part of the text, as somebody who types. */
    async type(document, old, text) {
      const at = document.text.indexOf(old);
      const position = (offset) => {
        const before = document.text.slice(0, offset).split('\n');
        return new Position(before.length - 1, before[before.length - 1].length);
      };
      const range = new Range(position(at), position(at + old.length));
      document.text = document.text.slice(0, at) + text + document.text.slice(at + old.length);
      ++document.version;
      await events.change.fire({ document, contentChanges: [
        { range, rangeOffset: at, rangeLength: old.length, text }] });
    },
    async configure(values) {
      Object.assign(settings, values);
      await events.configuration.fire({
        affectsConfiguration: (section) => section === 'gpu-estimate' || Object.keys(values)
          .some((name) => section === `gpu-estimate.${name}`) });
    },
  };
  const module = lenient({
    version: '1.82.0',
    env: lenient({ language: 'en', appName: 'stand-in' }),
    languages, workspace, window, commands,
    extensions: lenient({ all: [], getExtension: () => undefined }),
    Uri: URI, Disposable, EventEmitter, CancellationTokenSource, Position, Range,
    Diagnostic, MarkdownString, CodeLens, InlayHint, Hover,
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    StatusBarAlignment: { Left: 1, Right: 2 },
    ViewColumn: { Active: -1, Beside: -2 },
    ConfigurationTarget: { Global: 1, Workspace: 2, WorkspaceFolder: 3 },
    ProgressLocation: { Window: 10, Notification: 15 },
    CodeActionKind: { Empty: { append: (value) => ({ value, append() {} }) } },
    CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
    TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 },
    TextDocumentChangeReason: { Undo: 1, Redo: 2 },
    InlayHintKind: { Type: 1, Parameter: 2 },
  });
  return { module, ...api };
}

module.exports = { createEditor, Position, Range, CancellationTokenSource };
