// Joins the late half of this program to the first (crates/xtask/src/split/).
const LATE = new URL("NAME" + new URL(import.meta.url).search, import.meta.url);
let lateFetched, lateCompiled;
// Fetches it. Nobody waits for this: where it fails, it is tried again after a moment, or at once when it is needed.
export const late = () => lateFetched ||= (async () => {
  try {
    const response = await fetch(LATE);
    if (!response.ok) throw response.status;
    lateCompiled = await WebAssembly.compile(await response.arrayBuffer());
    if (wasm) await WebAssembly.instantiate(lateCompiled, { a: wasm });
  } catch {
    setTimeout(() => (lateFetched = undefined), 2000);
  }
})();
// Whoever moves may need it soon.
for (const kind of ["pointermove", "pointerdown", "keydown"]) addEventListener(kind, late, { capture: true, passive: true });
// Needed now: by a function that cannot wait.
const joinLate = () => {
  try {
    if (!lateCompiled) {
      const request = new XMLHttpRequest();
      request.open("GET", LATE, false);
      // Bytes as letters: what is waited for can be asked for in no other form.
      request.overrideMimeType("text/plain; charset=x-user-defined");
      request.send();
      lateCompiled = new WebAssembly.Module(Uint8Array.from(request.response, (letter) => letter.charCodeAt(0)));
    }
    new WebAssembly.Instance(lateCompiled, { a: wasm });
  } catch (error) {
    // The guard in index.html tells it like a trap: the program cannot go on.
    throw new WebAssembly.RuntimeError(`${LATE}: ${error}`);
  }
};
