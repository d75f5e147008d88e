// Starts instances of the module that runs scripts, and lets a long script give way every few milliseconds where the browser can leave a
// module's stack and enter it again (JSPI). `breathe.js` is the other end, inside the module.
const SLICE_MS = 8;
// The first slice of a script, while the code that goes on with a paused script is not loaded.
const ALONE_MS = 200;

const paced = (module, exports) => {
  const carryOut = WebAssembly.promising && WebAssembly.Suspending && WebAssembly.promising(exports.carry_out);
  let answer, until, resume, hasGivenWay, ended;
  const ask = (question) => answer(question);
  const isTime = () => performance.now() >= until;
  const giveWay = () => new Promise((done) => { resume = done; hasGivenWay?.(); });
  const lend = (to, ms) => {
    answer = to;
    until = performance.now() + ms;
    if (window.lockstep.isTime !== isTime) Object.assign(window.lockstep, { isTime, giveWay });
  };
  return {
    run: module.run,
    play: module.play,
    begin(order, to, isAlone) {
      if (!carryOut) return module.run(order, to);
      lend(to, isAlone ? ALONE_MS : SLICE_MS);
      resume = hasGivenWay = undefined;
      module.prepare(order);
      const carriedOut = carryOut(ask);
      const report = module.report();
      // Most scripts end in their first slice. What follows took as long as half of a short script.
      if (report) return report;
      ended = carriedOut.then(module.report);
      // Whoever goes on hears of it.
      ended.catch(() => {});
      return report;
    },
    async goOn(to) {
      await window.lockstep.nextTask();
      lend(to, SLICE_MS);
      return new Promise((done, fail) => {
        hasGivenWay = () => done(undefined);
        ended.then(done, fail);
        resume?.();
      });
    },
  };
};

// Joins the second part of the module to an instance, whose script this is. A build that was not packed has one part.
const joined = async ({ CHUNKS: [rest] = [], join }) => {
  if (!rest) return;
  try {
    await join(await WebAssembly.compile(await window.lockstep.bytes(rest)));
  } catch (why) {
    // A file that came and is no module is not kept.
    window.lockstep.forget(rest);
    throw why;
  }
};

// An instance; `nth` tells it from those before it, with which it shares nothing. It comes without its second part, which follows at once.
export const machine = async (nth) => {
  const { bytes, module } = window.lockstep;
  const [glue, wasm] = await Promise.all([module("lua-page.js", nth), bytes("lua-page_bg.wasm")]);
  const exports = await glue.default({ module_or_path: wasm });
  let rest;
  const whole = () => {
    if (!rest) {
      rest = joined(glue);
      // Whoever asks again tries again.
      rest.catch(() => { rest = undefined; });
    }
    return rest;
  };
  // A document that holds everything has nobody to ask for what is missing in the midst of a call.
  if ("whole" in document.documentElement.dataset) await whole(); else whole();
  return { ...paced(glue, exports), whole };
};
