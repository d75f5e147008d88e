// Sessions in their text form, for tests and benches that need a long one; the form is described in crates/world.

/** Two clients; lines of a third one, who then leaves with its terminal; then lines of the first one. */
export function sessionText(lines: string[], before: string[] = []): string {
  const guest = before.length === 0 ? [] : ["+ guest 2", ...before.map((line) => `guest> ${line}`), "- guest"];
  const steps = ["+ c1 0", "+ c2 1", ...guest, ...lines.map((line) => `c1> ${line}`)];
  const head = ["lockstep 1", "seed 7", "start 1767268800000", "maxmemory 67108864", "proto-max-bulk-len 16777216", ""];
  return [...head, ...steps, `end ${steps.length} at ${steps.length} of ${steps.length}`, ""].join("\n");
}
