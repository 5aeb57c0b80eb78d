import * as vscode from 'vscode';
import {
  CancellationToken,
  DidChangeConfigurationNotification,
  ExecuteCommandRequest,
  LanguageClient,
} from 'vscode-languageclient/node';
import { Section, Settings, serverSettings, settings, workspaceFolder } from './settings';

/** A GPU model, as the server lists it. */
export interface Gpu {
  id: string;
  name: string;
  vendor: string;
  architecture: string;
  multiprocessors: number;
  core_clock_mhz: number;
}

/** The time of one launch of a kernel on one GPU. */
export interface Estimate {
  kernel: string;
  gpu: string;
  /** Null where a size is not known; then curve has times over it. */
  time_ms: number | null;
  unknown?: string;
  curve?: { value: number; time_ms: number; bound: string }[];
  interval: { low_ms: number; high_ms: number } | null;
  bottleneck: string;
}

export interface Comparison {
  estimates: Estimate[];
  without_estimate: { kernel: string; reason: string }[];
}

/** Where the code lens of a kernel leads; the server names it. */
type LensHandler = (uri: string, kernel?: string) => Promise<void>;

/** `gpu-estimate serve --lsp`, and the commands that only it can answer. */
export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;

  constructor(private readonly onLens: LensHandler) {}

  /** Errors: the program is not there, or is no server. */
  async start(): Promise<void> {
    const given = settings();
    const client = new LanguageClient(
      Section, 'GPU estimate',
      {
        command: given.path,
        args: ['serve', '--lsp'],
        options: { cwd: workspaceFolder() },
      },
      {
        documentSelector: documentSelector(given),
        initializationOptions: serverSettings(),
        middleware: {
          // A click on a code lens; every other command is ours.
          executeCommand: (command, args, next) =>
            command === 'gpu-estimate.compareGpus'
              ? this.onLens(String(args[0]), args[1] as string | undefined)
              : next(command, args),
          workspace: {
            // The server asks for its section; it refuses names that are ours.
            configuration: async (parameters) => parameters.items.map(() => serverSettings()),
          },
        },
      });
    this.client = client;
    await client.start();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    // A client whose server did not start has nothing to stop, and would throw.
    if (client?.isRunning()) await client.dispose();
  }

  dispose(): void {
    void this.stop();
  }

  /** Tells the server what the settings are now. */
  async sendSettings(): Promise<void> {
    await this.client?.sendNotification(DidChangeConfigurationNotification.type,
      { settings: { [Section]: serverSettings() } });
  }

  /** The URI by which the server knows a document. */
  uriOf(uri: vscode.Uri): string {
    return this.client?.code2ProtocolConverter.asUri(uri) ?? uri.toString();
  }

  async gpus(): Promise<Gpu[]> {
    return (await this.command<{ gpus: Gpu[] }>('gpus')).gpus;
  }

  async compareGpus(uri: string, token: CancellationToken): Promise<Comparison> {
    return this.command<Comparison>('compareGpus', [uri], token);
  }

  /** The report of an open document, a page without references to others. */
  async report(uri: string, token: CancellationToken): Promise<string> {
    return (await this.command<{ html: string }>('showReport', [uri], token)).html;
  }

  private async command<T>(
    name: string, args: unknown[] = [], token?: CancellationToken): Promise<T> {
    if (!this.client) throw new Error('gpu-estimate does not run: see the setting gpu-estimate.path');
    const answer: unknown = await this.client.sendRequest(
      ExecuteCommandRequest.type, { command: `${Section}.${name}`, arguments: args }, token);
    return answer as T;
  }
}

function documentSelector({ python }: Settings) {
  const languages = ['cuda-cpp', 'cuda', 'hip', 'ptx', ...(python ? ['python'] : [])];
  return [
    ...languages.map((language) => ({ scheme: 'file', language })),
    // Where no extension declares a language for CUDA.
    { scheme: 'file', pattern: '**/*.{cu,cuh}' },
  ];
}
