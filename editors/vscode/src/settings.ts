import * as path from 'node:path';
import * as vscode from 'vscode';

/** The section of the editor's settings, and of those that the server asks for. */
export const Section = 'gpu-estimate';

export interface Settings {
  /** The program `gpu-estimate`. */
  path: string;
  /** The id of a GPU model; '' where none is chosen. */
  gpu: string;
  /** The folder of compile_commands.json; '' where there is none. */
  buildFolder: string;
  /** Other parameters of the server, by the names of docs/serve.md. */
  parameters: Record<string, unknown>;
  runArguments: string[];
  python: boolean;
}

/** The folder of the workspace, against which relative paths are meant. */
export function workspaceFolder(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

export function settings(): Settings {
  const given = vscode.workspace.getConfiguration(Section);
  const buildFolder = given.get('buildFolder', '');
  return {
    path: given.get('path', 'gpu-estimate'),
    gpu: given.get('gpu', ''),
    buildFolder: buildFolder && path.resolve(workspaceFolder() ?? '', buildFolder),
    parameters: given.get('parameters', {}),
    runArguments: given.get('runArguments', []),
    python: given.get('python', false),
  };
}

/** What the server is told: parameters alone, since it refuses unknown names. */
export function serverSettings(): Record<string, unknown> {
  const { gpu, buildFolder, parameters } = settings();
  return {
    ...parameters,
    ...(buildFolder ? { p: buildFolder } : {}),
    ...(gpu ? { gpu } : {}),
  };
}

/** Changes the GPU of the workspace, or of the user where no folder is open. */
export async function chooseGpu(id: string): Promise<void> {
  await vscode.workspace.getConfiguration(Section).update(
    'gpu', id,
    workspaceFolder() ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}
