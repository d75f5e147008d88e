// Ends the current task and continues in the next one, so that the browser can handle input and draw in between. A timer would do the same,
// but waits for at least 4 ms when timers follow each other.
(() => {
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  port1.onmessage = () => waiting.shift()?.();
  window.lockstep.nextTask = () => new Promise((done) => { waiting.push(done); port2.postMessage(0); });
})();
