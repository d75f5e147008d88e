// The bounds of what a browser downloads, and what a body weighs: `crates/xtask/weights.txt` has the numbers, `cargo xtask build` the same look at the files.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const LIST = fileURLToPath(new URL("../../crates/xtask/weights.txt", import.meta.url));

/** Bytes, compressed with brotli, that this may weigh at most. */
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
