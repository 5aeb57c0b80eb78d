import { Comparison, Estimate } from './server';

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function time(ms: number): string {
  return ms >= 1 ? `${ms.toPrecision(3)} ms` : `${(ms * 1e3).toPrecision(3)} us`;
}

/** The time, or that of the largest size in the table over an unknown one. */
function longest(e: Estimate): number {
  return e.time_ms ?? e.curve?.at(-1)?.time_ms ?? 0;
}

/** "6.2 us", or "2.4 us to 195 us for n = 1024 to 33554432". */
function shown(e: Estimate): string {
  const [first, last] = [e.curve?.[0], e.curve?.at(-1)];
  return e.time_ms !== null || !first || !last ? time(longest(e))
    : escaped(`${time(first.time_ms)} to ${time(last.time_ms)} for ${e.unknown} = ${first.value} to ${last.value}`);
}

/** One kernel on all GPUs, the fastest first. */
function table(kernel: string, estimates: Estimate[], names: Map<string, string>): string {
  const sorted = [...estimates].sort((a, b) => longest(a) - longest(b));
  const slowest = longest(sorted[sorted.length - 1]);
  const rows = sorted.map((e) => `<tr><td>${escaped(names.get(e.gpu) ?? e.gpu)}</td>`
    + `<td class="number">${shown(e)}</td>`
    + `<td class="number">${e.interval ? `${time(e.interval.low_ms)} to ${time(e.interval.high_ms)}` : ''}</td>`
    + `<td>${escaped(e.bottleneck)}</td>`
    + `<td><meter min="0" max="${slowest}" value="${longest(e)}"></meter></td></tr>`);
  return `<h2>${escaped(kernel)}</h2><table><thead><tr><th>GPU</th><th>time</th><th>interval</th>`
    + `<th>bound by</th><th></th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

/**
 * A page of the times of a file's kernels on all GPUs. Only: the one kernel to
 * show. Names: of GPUs, by their ids.
 */
export function comparisonPage(
  compared: Comparison, names: Map<string, string>, only?: string): string {
  const kernels = new Map<string, Estimate[]>();
  for (const estimate of compared.estimates)
    if (!only || estimate.kernel === only)
      kernels.set(estimate.kernel, [...(kernels.get(estimate.kernel) ?? []), estimate]);
  const reasons = new Set(compared.without_estimate
    .filter(({ kernel }) => !only || kernel === only)
    .map(({ kernel, reason }) => `${kernel}: ${reason}`));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>td, th { padding: 2px 12px; text-align: left; } .number { text-align: right; }</style></head><body>
${[...kernels].map(([kernel, estimates]) => table(kernel, estimates, names)).join('\n')}
${[...reasons].map((reason) => `<p>${escaped(reason)}</p>`).join('\n')}
</body></html>`;
}
