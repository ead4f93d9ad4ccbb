"use strict";
// Runs the program once more, in a worker of the page, where it flies for the page and draws nothing. It comes after
// wasm_exec.js in one script.
(() => {
  // The program's graphics look at a document as they are made ready; here it is one that agrees to everything.
  const document = new Proxy(function () {}, { get: (_, name) => (name === Symbol.toPrimitive ? () => "" : document), apply: () => document, construct: () => document });
  Object.assign(self, { window: self, document, Document: class { get hidden() { return true; } } });
  self.onmessage = async ({ data }) => {
    self.veilpathPage = data.page; // a port, which keeps messages until the program listens
    self.veilpathFailed = (text) => console.warn(text);
    const go = new Go();
    go.argv = ["viewer", "remote"];
    try {
      await go.run(await WebAssembly.instantiate(data.module, go.importObject));
    } finally {
      self.postMessage("ended");
    }
  };
})();
