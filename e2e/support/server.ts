// Serves the output of `cargo xtask build` under a path and not at the root, so that every test
// also shows that the page works there. Only files of dist/, only on the loopback address.
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

/** Where the page is mounted. */
export const BASE = "/class/lockstep/";

/** The tested folder; it can be outside this working copy. */
export const DIST = process.env.LOCKSTEP_DIST ?? fileURLToPath(new URL("../../dist/", import.meta.url));

/** The page as one file, beside the tested folder. */
export const SINGLE = join(DIST, "..", "dist-single", "lockstep.html");

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/**
 * Starts a server on a free port; `extra` maps further names under the base path to files, and browsers keep them for `cache`. All other
 * files are those of the folder that is `deployed` at the time. With `compresses` they are sent compressed with brotli.
 */
export async function startServer(
  extra: Record<string, string> = {},
  cache = "no-store",
  deployed = () => DIST,
  compresses = false,
): Promise<{ server: Server; url: string }> {
  const compressed = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const name = path.startsWith(BASE) ? path.slice(BASE.length) || "index.html" : undefined;
    const file = name === undefined ? undefined : (extra[name] ?? inside(deployed(), name));
    if (!file || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not here");
      return;
    }
    const head = { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": cache };
    if (compresses) {
      const body = compressed.get(file) ?? brotliCompressSync(readFileSync(file));
      compressed.set(file, body);
      response.writeHead(200, { ...head, "content-encoding": "br" }).end(body);
      return;
    }
    response.writeHead(200, head);
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}${BASE}` };
}

/** The file with this name in the folder; `undefined` if the name leads out of the folder. */
function inside(folder: string, name: string): string | undefined {
  const file = normalize(join(folder, name));
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? file : undefined;
}

/** Playwright's global set-up: the address goes to the workers by the environment. */
export default async function globalSetup() {
  if (!existsSync(join(DIST, "index.html"))) throw new Error("dist/ is empty: run `cargo xtask build` first.");
  const { server, url } = await startServer();
  process.env.LOCKSTEP_URL = url;
  return () => new Promise((resolve) => server.close(resolve));
}
