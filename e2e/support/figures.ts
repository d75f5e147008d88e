// Prints a figure of a bench: median and 99th percentile of the measurements, in milliseconds.

/** The quantile: the value below which `share` of the values lie. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** One line of the report. */
export function figure(name: string, milliseconds: number[]): void {
  const [middle, late] = [0.5, 0.99].map((share) => percentile(milliseconds, share).toFixed(2));
  console.log(`${name.padEnd(44)} p50 ${middle} ms   p99 ${late} ms   (${milliseconds.length} times)`);
}
