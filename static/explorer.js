// The worker in which the explorer searches: one worker a search. It hears "stop" between two slices.
import init, { begin, carry_on, report, stop } from "./explorer-page.js";

// Long enough that little is lost between slices, short enough that "stop" is heard at once.
const SLICE_MS = 20;
const TOLD_EVERY_MS = 150;
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

const ready = init().catch(breakDown);
onmessage = async ({ data }) => {
  await ready;
  guarded(() => {
    if (isOver) return;
    if (data === "stop") {
      stop();
      return;
    }
    // From here on the page knows that everything is there.
    postMessage("progress 0 0 0 0");
    const refusal = begin(data);
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
  while (!isOver && performance.now() < begun + SLICE_MS) isOver = carry_on();
  if (isOver || performance.now() > told + TOLD_EVERY_MS) {
    told = performance.now();
    postMessage(report());
  }
  if (!isOver) turns.port2.postMessage(0);
});
