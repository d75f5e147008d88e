// Where the module of Lua gives way in the midst of a long script: it leaves its stack there until a promise of the page is kept, if the
// browser can do that (JSPI). Whether it is time is asked apart, since some engines leave the stack for every answer.
export const isTime = () => (globalThis.lockstep.isTime() ? 1 : 0);
const giveWay = () => globalThis.lockstep.giveWay();
export const breathe = WebAssembly.Suspending ? new WebAssembly.Suspending(giveWay) : giveWay;
