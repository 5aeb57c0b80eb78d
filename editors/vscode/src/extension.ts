import * as path from 'node:path';
import * as vscode from 'vscode';
import { comparisonPage } from './comparison';
import { GpuStatus } from './gpuStatus';
import { Panels } from './panels';
import { Server } from './server';
import { Section, settings } from './settings';
import { timelinePage } from './timeline';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const panels = new Panels();
  const running = new Server((uri, kernel) => reporting(() => compare(uri, kernel)));
  const status = new GpuStatus(running);
  server = running;

  /** The file in the active editor; says so where there is none. */
  function activeFile(): vscode.TextDocument {
    const document = vscode.window.activeTextEditor?.document;
    if (!document) throw new Error('open a CUDA or HIP file first');
    if (!settings().gpu) throw new Error('select a GPU first: it stands in the status bar');
    return document;
  }

  async function compare(uri: string, kernel?: string): Promise<void> {
    const compared = await withProgress('Comparing GPUs', (token) => running.compareGpus(uri, token));
    const names = new Map((await running.gpus()).map(({ id, name }) => [id, name]));
    panels.show('comparison', `GPUs: ${kernel ?? path.basename(vscode.Uri.parse(uri).fsPath)}`,
      comparisonPage(compared, names, kernel));
  }

  async function showReport(): Promise<void> {
    const { uri } = activeFile();
    const page = await withProgress('Making the report',
      (token) => running.report(running.uriOf(uri), token));
    panels.show('report', `Report: ${path.basename(uri.fsPath)}`, page);
  }

  async function showTimeline(): Promise<void> {
    const document = activeFile();
    await document.save();
    const page = await withProgress('Running the program on the CPU',
      (token) => timelinePage(document.uri.fsPath, settings(), token));
    if (page) panels.show('timeline', `Time line: ${path.basename(document.uri.fsPath)}`, page);
  }

  async function start(begin: () => Promise<void>): Promise<void> {
    try {
      await begin();
      await status.show();
    } catch (problem) {
      status.showProblem(`${Section}.path: ${settings().path} does not start: ${textOf(problem)}`);
    }
  }

  async function settingsChanged(change: vscode.ConfigurationChangeEvent): Promise<void> {
    const isOf = (name: string) => change.affectsConfiguration(`${Section}.${name}`);
    if (isOf('path') || isOf('python')) {
      await start(() => running.restart());
    } else if (change.affectsConfiguration(Section)) {
      await running.sendSettings();
      await status.show();
    }
  }

  const command = (name: string, work: () => Promise<void>) =>
    vscode.commands.registerCommand(`gpuEstimate.${name}`, () => reporting(work));
  context.subscriptions.push(
    panels, status, running,
    command('selectGpu', () => status.select()),
    command('showReport', showReport),
    command('showTimeline', showTimeline),
    command('compareGpus', () => compare(running.uriOf(activeFile().uri))),
    vscode.workspace.onDidChangeConfiguration((change) => reporting(() => settingsChanged(change))));
  await start(() => running.start());
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** Shows what goes wrong, as a user caused it and can mend it. */
async function reporting(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (problem) {
    void vscode.window.showErrorMessage(`GPU estimate: ${textOf(problem)}`);
  }
}

function textOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

function withProgress<T>(
  title: string, work: (token: vscode.CancellationToken) => Promise<T>): Thenable<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_, token) => work(token));
}
