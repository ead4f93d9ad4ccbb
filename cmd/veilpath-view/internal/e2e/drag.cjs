// Drags the slider of epsilon to and fro, and goes from run to run: node drag.cjs ADDRESS MINUTES
// A line a minute tells what memory the page takes.
"use strict";
const fs = require("node:fs");
const { inChromium } = require("./chromium.cjs");
const { open } = require("./page.cjs");

const [address, minutes] = process.argv.slice(2);

// keepInstance lets the page tell the memory of the program.
const keepInstance = () => {
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const plain = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      const made = await plain.apply(WebAssembly, args);
      window.veilpathMemory = () => (made.instance || made).exports.mem.buffer.byteLength;
      return made;
    };
  }
};

// renderers is the resident memory of the processes that run pages, MB.
async function renderers(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const kilobytes = (id) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${id}/status`, "utf8"))[1]);
  return processInfo.filter((p) => p.type === "renderer").reduce((sum, p) => sum + kilobytes(p.id), 0) / 1024;
}

inChromium(async (browser) => {
  const plain = browser.newContext.bind(browser);
  browser.newContext = async (options) => { const c = await plain(options); await c.addInitScript(keepInstance); return c; };
  const d = await open(browser, address, { viewport: { width: 1280, height: 800 } });
  await d.until("the ensemble", (f) => f.fresh === f.runs);
  const [x, y, w, h] = await d.widget("epsilon");
  const end = Date.now() + minutes * 60_000;
  let steps = 0;
  for (let minute = 0; ; minute++) {
    const program = await d.page.evaluate(() => window.veilpathMemory());
    console.log(`minute ${minute}: renderer ${(await renderers(browser)).toFixed(0)} MB, program ${(program / 2 ** 20).toFixed(0)} MB, ${steps} steps`);
    if (Date.now() >= end) break;
    const until = Math.min(end, Date.now() + 60_000);
    while (Date.now() < until) {
      await d.page.mouse.move(x + w / 2, y + h / 2);
      await d.page.mouse.down();
      await d.page.waitForTimeout(100);
      for (let i = 0; i < 120 && Date.now() < until; i++) {
        await d.page.mouse.move(x + w * (0.5 + 0.49 * Math.sin(++steps / 9)), y + h / 2);
        await d.page.waitForTimeout(30);
      }
      await d.page.mouse.up();
      await d.page.keyboard.press("]"); // the next run
    }
  }
  await d.done();
});
