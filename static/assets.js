// The asset provider: whatever the page needs after its document comes through here, as bytes, text, a module or a worker. It keeps what
// it has fetched, so a page once loaded goes on without the network. The service worker stands between this and the network (service.js). In
// the page that is one file, the document holds all others (crates/xtask/src/single.rs), and there is no network.
(() => {
  "use strict";
  // A mark of this build: a browser may still hold files of the one before.
  const BUILD = "0";
  // Bytes of the program's first part and of the module of Lua, uncompressed; 0 in a build that was not packed.
  const PROGRAM_BYTES = 0;
  const LUA_BYTES = 0;
  // When so much of a file has come, the next one is asked for: its first byte takes a round trip, in which the line would be idle.
  const NEARLY = 0.92;
  const address = (name) => new URL(name + "?" + BUILD, document.baseURI).href;

  // Bytes as letters, one each.
  const unlettered = (letters) => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const isWhole = "whole" in document.documentElement.dataset;
  // A file inside the document: <script type="text/plain" id="asset:NAME">, gzip in base64.
  const fromDocument = async (name) => {
    const element = document.getElementById("asset:" + name.replace("./", ""));
    if (!element) return;
    const packed = new Blob([unlettered(atob(element.textContent))]);
    return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  const fromNetwork = async (name) => {
    const response = await fetch(address(name));
    if (!response.ok) throw response.status;
    const pieces = [];
    let count = 0;
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return new Blob(pieces).arrayBuffer();
      pieces.push(value);
      received.set(name, (count += value.byteLength));
      watchers.get(name)?.(count);
      report();
    }
  };
  // Asked in this order; the first that has a file gives it.
  const BACK_ENDS = isWhole ? [fromDocument] : [fromDocument, fromNetwork];

  // What has come or is on its way, by name; and what has come.
  const known = new Map();
  const here = new Map();
  const received = new Map();
  // Functions that hear how many bytes of a file have come, by name.
  const watchers = new Map();
  // What somebody waits for: name, whether the last attempt failed.
  const awaited = new Map();
  let reporting;
  const report = () => {
    reporting ||= setTimeout(() => { reporting = undefined; dispatchEvent(new Event("lockstep-assets")); }, 100);
  };
  // What the reader should know while something is waited for.
  const waiting = () => awaited.size === 0 ? undefined : {
    bytes: [...awaited.keys()].reduce((sum, name) => sum + (received.get(name) || 0), 0),
    hasFailed: [...awaited.values()].some(Boolean),
  };
  const awaiting = async (name, promise) => {
    awaited.set(name, awaited.get(name) || false);
    report();
    try { return await promise; } finally { awaited.delete(name); report(); }
  };

  const find = async (name) => {
    for (const backEnd of BACK_ENDS) {
      const found = await backEnd(name);
      if (found) return found;
    }
    throw 404;
  };
  const bytes = (name) => {
    if (!known.has(name)) {
      const found = find(name);
      known.set(name, found);
      const isCurrent = () => known.get(name) === found;
      // A failure is not kept: whoever asks again tries again.
      found.then((come) => isCurrent() && here.set(name, come), () => { if (isCurrent()) { forget(name); received.delete(name); } });
    }
    return known.get(name);
  };
  const forget = (name) => { known.delete(name); here.delete(name); };
  const text = async (name) => new TextDecoder().decode(await bytes(name));
  // The text of a module; what it imports from beside it is fetched too.
  const moduleText = async (name) => {
    const source = await text(name);
    const statement = /\b(from|import)(\s*)"\.\/([^"]+)"/g;
    const others = new Map();
    for (const [, , , other] of source.matchAll(statement)) {
      if (!others.has(other)) others.set(other, await moduleAddress(other));
    }
    return source.replace(statement, (_, word, blank, other) => `${word}${blank}"${others.get(other)}"`);
  };
  // Its address. Each address is a module of its own.
  const moduleAddress = async (name) => URL.createObjectURL(new Blob([await moduleText(name)], { type: "text/javascript" }));
  const modules = new Map();
  // A module; `nth` tells instances apart that share nothing.
  const module = (name, nth = 0) => {
    const key = name + "#" + nth;
    if (!modules.has(key)) {
      const imported = moduleAddress(name).then((url) => import(url));
      modules.set(key, imported);
      imported.catch(() => modules.delete(key));
    }
    return modules.get(key);
  };
  // Compiled WebAssembly modules. Workers that are given the same one share its machine code, so a later one starts at full speed.
  const wasmModules = new Map();
  const compile = (wasm) => {
    if (!wasmModules.has(wasm)) {
      const made = bytes(wasm).then(WebAssembly.compile);
      wasmModules.set(wasm, made);
      // Neither the failure is kept nor a file that is no module.
      made.catch(() => { wasmModules.delete(wasm); forget(wasm); });
    }
    return wasmModules.get(wasm);
  };
  // A worker, which first hears the text of its module and of what it is made. It is a classic one and makes the module's address itself,
  // because the worker of a page that was opened as a file can neither be a module nor import what the page has made.
  const worker = async (name, script, wasm) => {
    const [own, text, made] = await Promise.all([moduleAddress(name), moduleText(script), compile(wasm)]);
    const worker = new Worker(own);
    worker.postMessage({ script: text, wasm: made });
    return worker;
  };

  // The program, in parts (crates/xtask/src/split/). Unless it was split there is one part, which is here.
  let program;
  const joined = new Set();
  const attempts = new Map();
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  // Fetches and joins a chunk; where that fails it is tried again, ever more seldom, until it is here.
  const join = async (nth) => {
    const name = program.CHUNKS[nth];
    for (let wait = 500; !joined.has(nth); wait = Math.min(2 * wait, 15000)) {
      try {
        const compiled = await WebAssembly.compile(await bytes(name));
        await started;
        if (!joined.has(nth)) await program.join(compiled);
        joined.add(nth);
      } catch {
        // A chunk that came and is none is no matter of the network, and fetching it again may mend it.
        forget(name);
        if (awaited.has(name)) awaited.set(name, true);
        report();
        await pause(wait);
      }
    }
  };
  const hasChunk = (nth) => !program?.CHUNKS || joined.has(nth);
  const fetchChunk = (nth) => {
    if (hasChunk(nth)) return Promise.resolve();
    if (!attempts.has(nth)) attempts.set(nth, join(nth));
    return attempts.get(nth);
  };
  const chunk = (nth) => hasChunk(nth) ? Promise.resolve() : awaiting(program.CHUNKS[nth], fetchChunk(nth));
  // The chunk of the function in this place of the program's table, if that is still missing.
  const missing = (place) => program?.DEFERRED?.findIndex((places, nth) => !joined.has(nth) && places.includes(place)) ?? -1;
  const bytesNow = (name) => {
    const request = new XMLHttpRequest();
    request.open("GET", address(name), false);
    // Bytes as letters: what is waited for can be asked for in no other form.
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status !== 200) throw request.status;
    return unlettered(request.response);
  };
  // Gives a compiled module at once, to whom cannot wait for it. The page asks for files before it needs them, so this is the last resort; it
  // never ends a session.
  const withNow = (name, use) => {
    for (;;) {
      try {
        return use(new WebAssembly.Module(here.get(name) || bytesNow(name)));
      } catch {
        forget(name);
        alert(window.lockstep.words.unreachable);
      }
    }
  };
  // Joins a chunk for a function that was called before it came.
  const joinNow = (place) => {
    const nth = program.ENDS.findIndex((end) => place <= end);
    withNow(program.CHUNKS[nth], (compiled) => {
      if (!joined.has(nth)) program.joinNow(compiled);
      joined.add(nth);
    });
  };
  // The style sheet for forced colours: whoever has none does not load it.
  const forced = matchMedia("(forced-colors: active)");
  const forceColours = async () => {
    if (!forced.matches) return;
    forced.onchange = undefined;
    const sheet = document.createElement("style");
    sheet.textContent = await text("forced.css");
    document.head.append(sheet);
  };
  forced.onchange = forceColours;
  let isStarted;
  const started = new Promise((done) => { isStarted = done; });
  // Starts the program. Both of its files are asked for at once; it does not begin before its place in the document is there: what
  // comes from a cache is quicker than the parser.
  const parsed = new Promise((done) => {
    if (document.readyState === "loading") document.addEventListener("readystatechange", done); else done();
  });
  // Shows on the boot screen how much of the program has come. A copy of it is counted, so the browser can keep its machine code for the
  // next visit, as it does with what it has fetched itself.
  const showProgress = async (response) => {
    let count = 0;
    for (const reader = response.clone().body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      count += value.byteLength;
      if (count >= PROGRAM_BYTES * NEARLY) isFetched();
      document.querySelector("#boot progress")?.setAttribute("value", count / PROGRAM_BYTES);
    }
  };
  // Until nearly all bytes of the program have come, nothing that is needed later takes its share of the line.
  let isFetched;
  const fetched = new Promise((done) => { isFetched = done; });
  const fetchProgram = async (wasm) => {
    const response = await fetch(address(wasm));
    // A failure is told by the start.
    if (PROGRAM_BYTES && response.ok) showProgress(response).catch(() => {});
    return response;
  };
  // The module that runs programs (src/hooks/machine.rs), while the program is compiled. The first line of a lesson says whether it needs it
  // (crates/lesson/src/packed.rs); whoever needs it asks again if it fails.
  const LUA = "lua-page_bg.wasm";
  const MACHINE = ["machine.js", "lua-page.js", LUA, "breathe.js"];
  // What runs them on the page's side, and shows them.
  const PROGRAM_CHUNKS = [7, 9];
  const fetchMachine = async (lesson) => {
    const [line] = new TextDecoder().decode((await lesson).slice(0, 64)).split("\n");
    if (!/ programs$/.test(line)) return;
    await fetched;
    // The module takes longest to compile, so it comes first.
    const nearlyHere = new Promise((done) => watchers.set(LUA, (count) => count >= LUA_BYTES * NEARLY && done()));
    await Promise.race([nearlyHere, Promise.allSettled(MACHINE.map((name) => bytes(name)))]);
    for (const nth of PROGRAM_CHUNKS) if (!hasChunk(nth)) fetchChunk(nth);
  };
  // Returns once the boot screen has been drawn. A page in the background draws nothing, and no page waits longer than half a second.
  const drawn = async () => {
    await parsed;
    await new Promise((done) => {
      if (document.hidden) return done();
      requestAnimationFrame(() => setTimeout(done));
      setTimeout(done, 500);
    });
  };
  // A document that took longer than this came over a slow line, and the program will come long after the first frame.
  const SLOW_MS = 150;
  const load = async (script, wasm) => {
    // The other files stand behind this script.
    if (isWhole) await parsed;
    // Otherwise a fast line brings the program before the first frame, and holds that up.
    else if (performance.now() < SLOW_MS) await drawn();
    forceColours().catch(() => {});
    const module_or_path = isWhole ? bytes(wasm) : fetchProgram(wasm);
    // The import below or the start tells of it.
    module_or_path.catch(() => {});
    program = await (isWhole ? module(script) : import(address(script)));
    // A function that cannot wait for its chunk has nobody to ask but the document, which takes a moment to unpack.
    if (isWhole) await Promise.all((program.CHUNKS || []).map(bytes));
    // The pages that need a chunk at once: nothing, the course, nothing, the map of the course. A session may need all of them.
    const NEEDED_BY = [undefined, /^#learn/, undefined, /^#learn[/]?$/];
    // The messages of each language, the last chunks.
    const WORDS = { en: 12, "zh-CN": 13 };
    const isSession = window.lockstep.hasSession() || /[#?][st]=/.test(location.hash);
    const isNeeded = (nth) => nth < WORDS.en ? isSession || NEEDED_BY[nth]?.test(location.hash) : nth === WORDS[document.documentElement.lang];
    (program.CHUNKS || []).forEach((_, nth) => isNeeded(nth) && fetchChunk(nth));
    // The text of a page of the course (crates/lesson); whoever needs it asks again if it fails.
    const [, isCourse, lesson] = /^#(learn)[/]?([\w-]+[/][\w-]+)?/.exec(location.hash) || [];
    if (isCourse) fetchMachine(bytes(`lessons/${lesson || "index"}.${document.documentElement.lang}.bin`)).catch(() => {});
    await parsed;
    await program.default({ module_or_path });
    isStarted();
  };

  // Fetches files ahead of need, one after the other, whenever the page has nothing else to do.
  const idle = () => new Promise((done) => (window.requestIdleCallback || setTimeout)(done));
  const ahead = async (names) => {
    await window.lockstep.isSettled;
    // Chunks first: they are what a key press may need.
    for (const nth of (program?.CHUNKS || []).keys()) { await idle(); await fetchChunk(nth); }
    if (navigator.connection?.saveData) return;
    for (const name of names) {
      for (let wait = 2000; ; wait = Math.min(2 * wait, 60000)) {
        await idle();
        // What is not there at all will not come by asking again.
        if (await bytes(name).then(() => true, (why) => why === 404)) break;
        await pause(wait);
      }
    }
  };
  // Keeps all files in this browser, so that the page also opens without a network. A build that was not packed has no mark and is not
  // kept. Where there is no service worker (an old browser, a page without HTTPS, the page in one file), everything else works.
  const ASKS_EVERY_MS = 3600000;
  const workers = BUILD !== "0" && !isWhole && /^http/.test(location.protocol) ? navigator.serviceWorker : undefined;
  // Another build is kept now, whole (service.js).
  const newer = new Promise((done) => workers?.addEventListener("message", ({ data }) => { if (data !== BUILD) done(); }));
  let kept;
  const keep = (service) => {
    if (!workers || kept || navigator.connection?.saveData) return;
    kept = workers.register(new URL(service, document.baseURI), { updateViaCache: "none" });
    // Those who leave the page open for days hear of a new build too.
    setInterval(() => kept.then((registration) => registration?.update()).catch(() => {}), ASKS_EVERY_MS);
    kept.catch(() => {});
  };
  // What the page asks for by itself is awaited by somebody.
  const asked = (get) => (name, ...more) => awaiting(name, get(name, ...more));
  Object.assign(window.lockstep, {
    load, bytes: asked(bytes), text: asked(text), module: asked(module), worker: asked(worker), forget, chunk, hasChunk, missing, joinNow, withNow, waiting, ahead, keep, newer: () => newer,
  });
})();
