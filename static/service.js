// The service worker. It keeps all files of one build, so that after one visit the page works without a network. While there is a network,
// the document comes from there: nothing is stale after a deploy. All other files carry the mark of their build in the address, so those of
// two builds never meet. A new build takes over when all of its files are here, and the tabs of the build before are told.
//
// crates/xtask/src/pack.rs fills in the build, and each file with the SHA-256 of its bytes in base64.
const BUILD = "0";
const FILES = {};

const PREFIX = "lockstep " + registration.scope + " ";
const CACHE = PREFIX + BUILD;
const DOCUMENT = "index.html";
// Whoever waits longer for the document gets the one that is kept.
const PATIENCE_MS = 5000;
// Pauses before further attempts to read what is kept.
const READS_AGAIN_MS = [50, 500];

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The address under which the page asks for a file. What the browser itself asks for has no mark.
const UNMARKED = /\.(svg|png|webmanifest)$/;
const address = (name) => {
  const marked = UNMARKED.test(name) ? name : name + "?" + BUILD;
  return new URL(name === DOCUMENT ? "./" : marked, registration.scope).href;
};

const digest = async (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))));

// A file; none if its bytes are not the expected ones.
const checked = async (url, from, expected) => {
  const response = await fetch(url, { cache: from });
  const bytes = await response.arrayBuffer();
  const type = response.headers.get("content-type");
  const isRight = response.ok && (await digest(bytes)) === expected;
  return isRight ? new Response(bytes, { headers: type ? { "content-type": type } : {} }) : undefined;
};

// Fetches all files, and takes none that is not of this build: a server may be changing its files meanwhile. What an interrupted attempt has
// kept is not fetched again. The document is the last: a build that has one is complete.
const fill = async () => {
  const cache = await caches.open(CACHE);
  const files = Object.entries(FILES).sort(([a], [b]) => (a === DOCUMENT) - (b === DOCUMENT));
  for (const [name, expected] of files) {
    const url = address(name);
    if (await cache.match(url)) continue;
    // The browser has most files already; if what it has is wrong, the server is asked.
    let response;
    for (const from of name === DOCUMENT ? ["no-cache"] : ["default", "reload"]) {
      response = await checked(url, from, expected);
      if (response) break;
    }
    if (!response) throw new Error(`${name} is not that of build ${BUILD}`);
    await cache.put(url, response);
  }
};

addEventListener("install", (event) => event.waitUntil(fill().then(() => skipWaiting())));

addEventListener("activate", (event) => event.waitUntil((async () => {
  // The build before is kept too: tabs that were opened with it still fetch its files. Incomplete ones are not.
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  const complete = [];
  for (const name of others) if (await caches.match(address(DOCUMENT), { cacheName: name })) complete.push(name);
  await Promise.all(others.filter((name) => name !== complete.at(-1)).map((name) => caches.delete(name)));
  await clients.claim();
  for (const client of await clients.matchAll({ type: "window" })) client.postMessage(BUILD);
})()));

// What is kept under this address. A busy browser can fail to read it and succeed a moment later.
const found = async (url, options) => {
  for (const ms of [...READS_AGAIN_MS, undefined]) {
    try {
      return await caches.match(url, options);
    } catch {
      if (ms) await pause(ms);
    }
  }
};
// The document of this build; if it is lost, that of the build before.
const keptDocument = async () => (await found(address(DOCUMENT), { cacheName: CACHE })) || found(address(DOCUMENT));

const fromNetwork = (request) => {
  const late = pause(PATIENCE_MS).then(() => { throw new Error("no answer"); });
  return Promise.race([fetch(request, { cache: "no-cache" }), late]);
};
const freshDocument = async (request) => {
  const answer = await fromNetwork(request).catch(() => undefined);
  if (answer && (answer.ok || answer.type === "opaqueredirect")) return answer;
  const kept = await keptDocument();
  // Without either, the browser's own page says what is wrong with the network.
  return kept || answer || fetch(request);
};
// Files with a mark never change.
const kept = async (request) => (await found(request.url)) || fetch(request);
// Icons have no mark: the network knows better, if there is one.
const fresh = async (request) => {
  const answer = await fetch(request).catch(() => undefined);
  return answer?.ok ? answer : (await found(request.url)) || answer || Response.error();
};

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const home = new URL(registration.scope);
  if (request.method !== "GET" || url.origin !== home.origin || !url.pathname.startsWith(home.pathname)) return;
  const name = url.pathname.slice(home.pathname.length);
  if (request.mode === "navigate") {
    if (name === "" || name === DOCUMENT) event.respondWith(freshDocument(request));
  } else if (url.search) {
    event.respondWith(kept(request));
  } else if (name in FILES) {
    event.respondWith(fresh(request));
  }
});
