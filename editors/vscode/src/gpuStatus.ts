import * as vscode from 'vscode';
import { Gpu, Server } from './server';
import { chooseGpu, settings } from './settings';

/** The GPU in the status bar; a click offers the others. */
export class GpuStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 50);
  private known: Gpu[] = [];

  constructor(private readonly server: Server) {
    this.item.command = 'gpuEstimate.selectGpu';
  }

  dispose(): void {
    this.item.dispose();
  }

  /** Shows the GPU of the settings. */
  async show(): Promise<void> {
    const { gpu } = settings();
    const found = (await this.gpus()).find(({ id }) => id === gpu);
    this.item.text = `$(circuit-board) ${found?.name ?? (gpu || 'Select GPU')}`;
    this.item.tooltip = gpu
      ? `Times are predicted for ${found?.name ?? gpu}`
      : 'Nothing is predicted: no GPU is selected';
    this.item.show();
  }

  /** Shows that nothing is predicted, and why. */
  showProblem(reason: string): void {
    this.item.text = '$(warning) GPU estimate';
    this.item.tooltip = reason;
    this.item.show();
  }

  async select(): Promise<void> {
    const now = settings().gpu;
    const chosen = await vscode.window.showQuickPick(
      (await this.gpus()).map((gpu) => ({
        label: gpu.name,
        description: gpu.id === now ? `${gpu.id} (selected)` : gpu.id,
        detail: `${gpu.vendor} ${gpu.architecture}, ${gpu.multiprocessors} multiprocessors, `
          + `${Math.round(gpu.core_clock_mhz)} MHz`,
        id: gpu.id,
      })),
      { title: 'GPU to predict for', matchOnDescription: true, matchOnDetail: true });
    if (chosen) await chooseGpu(chosen.id);
  }

  private async gpus(): Promise<Gpu[]> {
    if (!this.known.length) this.known = await this.server.gpus();
    return this.known;
  }
}
