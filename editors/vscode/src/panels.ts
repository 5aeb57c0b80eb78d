import * as vscode from 'vscode';

/** Pages beside the text: one panel for each sort of page, which is used again. */
export class Panels implements vscode.Disposable {
  private readonly open = new Map<string, vscode.WebviewPanel>();

  dispose(): void {
    for (const panel of this.open.values()) panel.dispose();
  }

  show(kind: string, title: string, html: string): void {
    let panel = this.open.get(kind);
    if (!panel) {
      panel = vscode.window.createWebviewPanel(
        `gpuEstimate.${kind}`, title, vscode.ViewColumn.Beside,
        // The pages of gpu-estimate have scripts of their own, and load nothing.
        { enableScripts: true, enableFindWidget: true, localResourceRoots: [] });
      panel.onDidDispose(() => this.open.delete(kind));
      this.open.set(kind, panel);
    }
    panel.title = title;
    panel.webview.html = html;
    panel.reveal(undefined, true);
  }
}
