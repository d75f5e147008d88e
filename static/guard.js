// The guard: shows a readable message whenever the application cannot start or has broken down, and
// hands over the session, which is in storage. Plain script, so that it works when WebAssembly does not.
(() => {
  "use strict";
  const PREFERENCES = "lockstep.preferences";
  // The part of the address that names a page of the course (src/state/address.rs).
  const address = () => /^#learn(?=$|[/?])[^?]*/.exec(location.hash)?.[0];
  // A link that carries a session is opened even where the page of its lesson is open already.
  addEventListener("hashchange", () => { if (/[#?][st]=/.test(location.hash)) location.reload(); });
  // Each lesson has a shelf of sessions of its own (src/state/shelf.rs).
  const shelf = () => "lockstep." + (address() || "").replace(/^#learn\/?(.+)/, "$1.").replace("#learn", "");
  const read = (store, key) => { try { return window[store].getItem(key); } catch { return null; } };

  // Theme, projector mode and language before the first paint: no flash of the wrong ones.
  const stored = read("localStorage", PREFERENCES) || "";
  const preference = (name) => (stored.match(new RegExp("^" + name + " (.+)$", "m")) || [])[1];
  const root = document.documentElement;
  const theme = preference("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  if (preference("projector") === "on") root.dataset.projector = "on";
  const chosen = preference("lang") || (navigator.languages || [navigator.language || "en"]).find((tag) => /^(zh|en)\b/i.test(tag)) || "en";
  const chinese = /^zh/i.test(chosen);
  root.lang = chinese ? "zh-CN" : "en";

  const words = chinese
    ? {
        title: "页面出了故障",
        startTitle: "页面没能启动",
        body: "这是程序自身的错误，不是你的操作造成的。到上一步为止的会话已保存在这个浏览器里，可以下载留存，也可以从头开始（旧会话不会被删除）。",
        none: "这个浏览器里还没有保存的会话。",
        old: "这个浏览器不支持 WebAssembly，请换用近几年的 Chrome、Edge、Firefox 或 Safari。",
        file: "本页是作为文件打开的，而浏览器只运行来自网页服务器的程序。请在这个文件夹里运行 python3 -m http.server 8080，再打开 http://localhost:8080。",
        download: "下载我的会话",
        again: "重新载入",
        fresh: "从头开始",
        detail: "技术细节",
        unreachable: "网络没有响应，页面还缺一部分程序。什么都没有丢失：请恢复网络，然后按“确定”。",
      }
    : {
        title: "Something broke",
        startTitle: "The page could not start",
        body: "This is a fault of the program, not of anything you did. Your session is kept in this browser up to the last step: download it, or start afresh (the old session is not deleted).",
        none: "There is no saved session in this browser yet.",
        old: "This browser has no WebAssembly. Please use a Chrome, Edge, Firefox or Safari of recent years.",
        file: "This page was opened as a file, and browsers run the program only from a web server. Run python3 -m http.server 8080 in this folder, then open http://localhost:8080.",
        download: "Download my session",
        again: "Reload",
        fresh: "Start afresh",
        detail: "Technical details",
        unreachable: "The network does not answer, and a part of this page is still missing. Nothing is lost: reconnect, then press OK.",
      };

  const sessionId = () => read("sessionStorage", shelf() + "tab") || read("localStorage", shelf() + "latest");
  // The stored text with the lines that it has got since (crates/world/src/timeline/tail.rs).
  const withTail = (text, tail) => {
    const [head, kept, count] = /^after (\d+) of (\d+)\n/.exec(tail) || [];
    const lines = text.split("\n");
    if (!lines.at(-2)?.startsWith("end " + count + " at ")) return text;
    let at = lines.indexOf("") + 1;
    let left = kept;
    for (; left > 0 && at < lines.length - 1; at += 1) if (!lines[at].startsWith("^ ")) left -= 1;
    // The tail belongs to another text.
    if (left > 0) return text;
    return [...lines.slice(0, at), tail.slice(head.length)].join("\n");
  };
  const sessionText = () => {
    const kept = (name) => read("localStorage", shelf() + name + sessionId()) || "";
    return withTail(kept("session."), kept("tail."));
  };
  let started = false;
  let shown = false;

  const button = (label, action, primary) => {
    const element = document.createElement("button");
    element.type = "button";
    element.className = primary ? "button button-primary" : "button";
    element.textContent = label;
    element.addEventListener("click", action);
    return element;
  };

  const download = () => {
    const url = URL.createObjectURL(new Blob([sessionText() || ""], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = "session.lockstep";
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };

  const startAfresh = () => {
    // Only this tab forgets which session it showed; the session itself stays where it is.
    try { sessionStorage.setItem(shelf() + "tab", "new"); } catch { /* storage is closed: a reload starts afresh anyway */ }
    history.replaceState(null, "", location.pathname + location.search + (address() || ""));
    location.reload();
  };

  const fail = (detail) => {
    if (shown) return;
    shown = true;
    const show = () => {
      const overlay = document.createElement("div");
      overlay.className = "failure";
      overlay.setAttribute("role", "alertdialog");
      overlay.setAttribute("aria-labelledby", "failure-title");
      overlay.dataset.testid = "failure";
      const box = document.createElement("div");
      box.className = "failure-box";
      const title = document.createElement("h1");
      title.id = "failure-title";
      title.textContent = started ? words.title : words.startTitle;
      const text = document.createElement("p");
      const isFile = !started && location.protocol === "file:" && !("whole" in root.dataset);
      text.textContent = isFile ? words.file : typeof WebAssembly === "object" ? (sessionText() ? words.body : words.none) : words.old;
      const actions = document.createElement("div");
      actions.className = "failure-actions";
      if (sessionText()) actions.append(button(words.download, download, true));
      actions.append(button(words.again, () => location.reload(), !sessionText()), button(words.fresh, startAfresh));
      const details = document.createElement("details");
      const summary = document.createElement("summary");
      summary.textContent = words.detail;
      const pre = document.createElement("pre");
      pre.textContent = String(detail) + "\n" + navigator.userAgent;
      details.append(summary, pre);
      box.append(title, text, actions, details);
      overlay.append(box);
      document.body.append(overlay);
      (overlay.querySelector("button") || box).focus();
    };
    if (document.body) show(); else addEventListener("DOMContentLoaded", show);
  };

  const onStart = () => {
    started = true;
    document.getElementById("boot")?.remove();
  };
  // What was asked for stands on the screen and can be used: from now on the rest is fetched.
  let settle;
  const isSettled = new Promise((done) => { settle = done; });
  const onSettle = () => { onStart(); performance.mark("lockstep-settled"); settle(); };
  window.lockstep = { fail, started: onStart, settled: onSettle, isSettled, hasSession: () => !!sessionText(), words };
  if (typeof WebAssembly !== "object") fail("no WebAssembly");
  addEventListener("error", (event) => {
    const node = event.target;
    if (node instanceof HTMLScriptElement || node instanceof HTMLLinkElement) {
      if (!started) fail("could not load " + (node.src || node.href));
    } else if (!started || event.error instanceof WebAssembly.RuntimeError) {
      fail((event.error && event.error.stack) || event.message);
    }
  }, true);
  addEventListener("unhandledrejection", (event) => {
    if (!started || event.reason instanceof WebAssembly.RuntimeError) fail((event.reason && event.reason.stack) || event.reason);
  });
})();
