// The worker in which the explorer searches: one worker a search. It hears "stop" between two slices.
// The first message holds the text of its module and of what it is made (static/assets.js); then come a request and perhaps "stop".

// Long enough that little is lost between slices, short enough that "stop" is heard at once.
const SLICE_MS = 20;
const TOLD_EVERY_MS = 150;
// Which order of steps mattered is told when that is known so soon.
const ORDER_MAX_MS = 500;
const turns = new MessageChannel();
let told = 0;
let isOver = false;

// Nothing that breaks may pass in silence: the page waits for a last word.
const breakDown = (error) => {
  isOver = true;
  postMessage("broke-down " + ((error && error.stack) || error));
};
const guarded = (act) => (event) => {
  try { act(event); } catch (error) { breakDown(error); }
};

let search, isMade;
const made = new Promise((done) => { isMade = done; });
const ready = made.then(async ({ script, wasm }) => {
  const module = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  await module.default({ module_or_path: wasm });
  search = module;
}).catch(breakDown);
onmessage = async ({ data }) => {
  if (typeof data === "object") return isMade(data);
  await ready;
  guarded(() => {
    if (isOver) return;
    if (data === "stop") {
      search.stop();
      return;
    }
    // From here on the page knows that everything is there.
    postMessage("progress 0 0 0 0 0 0");
    const refusal = search.begin(data);
    if (refusal !== undefined) {
      isOver = true;
      postMessage(refusal);
      return;
    }
    turns.port2.postMessage(0);
  })();
};

turns.port1.onmessage = guarded(() => {
  const begun = performance.now();
  while (!isOver && performance.now() < begun + SLICE_MS) isOver = search.carry_on();
  if (isOver || performance.now() > told + TOLD_EVERY_MS) {
    told = performance.now();
    while (isOver && performance.now() < told + ORDER_MAX_MS && search.carry_on_order());
    postMessage(search.report());
  }
  if (!isOver) turns.port2.postMessage(0);
});
