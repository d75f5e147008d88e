// The bounds on download sizes, and the size of a body: `crates/xtask/weights.txt` has the numbers; `cargo xtask build` measures files in
// the same way.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const LIST = fileURLToPath(new URL("../../crates/xtask/weights.txt", import.meta.url));

/** The bound with this name, in bytes compressed with brotli. */
export function bound(name: "sandbox" | "lesson" | "editor"): number {
  const found = readFileSync(LIST, "utf8").split("\n").map((line) => line.split(" ")).find((words) => words[0] === name);
  const bytes = Number(found?.[1]);
  if (!(bytes > 0)) throw new Error(`crates/xtask/weights.txt has no bound of ${name}`);
  return bytes;
}

/** Bytes of a body, compressed with brotli. */
export function squeezed(body: Buffer): number {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }).length;
}
