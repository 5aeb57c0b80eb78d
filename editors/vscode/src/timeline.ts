import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { CancellationToken } from 'vscode-languageclient/node';
import { Settings } from './settings';

/**
 * The page of `gpu-estimate run`: it builds the program of one source, runs it
 * on the CPU, and predicts its time line. Undefined: it was cancelled. Errors
 * are what the command says.
 */
export async function timelinePage(
  file: string, { path: program, gpu, runArguments }: Settings,
  token: CancellationToken): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gpu-estimate-'));
  try {
    const page = path.join(folder, 'timeline.html');
    const words = ['run', file, '--gpu', gpu, '--format', 'html', '-o', page,
      ...(runArguments.length ? ['--args', ...runArguments] : [])];
    const said = await finish(program, words, path.dirname(file), token);
    if (token.isCancellationRequested) return undefined;
    return await readFile(page, 'utf8').catch(() => {
      throw new Error(said.trim() || `${program} run has made no page`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the program writes to standard error, when it has ended. */
function finish(
  program: string, words: string[], folder: string, token: CancellationToken): Promise<string> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that the compiler and the program end with it.
    const child = spawn(program, words,
      { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    const cancelled = token.onCancellationRequested(() => {
      if (child.pid) process.kill(-child.pid, 'SIGTERM');
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => { said += text; });
    child.on('error', reject);
    child.on('close', () => { cancelled.dispose(); resolve(said); });
  });
}
