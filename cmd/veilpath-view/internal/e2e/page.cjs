"use strict";
const assert = require("node:assert/strict");

// apart is the dot of a run other than one that stands farthest from all others: a pointer at whole pixels means no other.
exports.apart = (dots, run) => {
  const room = (a) => Math.min(...dots.map((b) => a === b ? Infinity : Math.hypot(a.x - b.x, a.y - b.y)));
  return dots.filter((dot) => dot.run !== run).reduce((best, dot) => room(dot) > room(best) ? dot : best);
};

// open shows an address in a window of its own, and returns what drives ask of the page. Errors that the page tells of
// are complaints, but for those that are expected.
exports.open = async (browser, address, options = {}, expected = () => false) => {
  const context = await browser.newContext({ colorScheme: "dark", ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (e) => complaints.push(e.message));
  page.on("console", (m) => { if (m.type() === "error" && !expected(m)) complaints.push(m.text()); });
  await page.goto(address);
  await page.waitForFunction(() => window.veilpathDescribe, null, { timeout: 60_000 });
  const facts = async () => JSON.parse(await page.evaluate(() => window.veilpathDescribe()));
  // until polls the page: how long a frame takes there depends on the machine.
  const until = async (what, ok) => {
    for (let i = 0; i < 900; i++) {
      const f = await facts();
      if (ok(f)) return f;
      await page.waitForTimeout(100);
    }
    throw new Error(`${address}: waited in vain for ${what}: ${complaints} ${JSON.stringify(await facts()).slice(0, 600)}`);
  };
  const widget = async (id) => (await until(id, (f) => f.widgets[id])).widgets[id];
  // middle is a point of a widget, as a rule that in its middle.
  const middle = async (id, right = 0.5, down = 0.5) => {
    const [x, y, w, h] = await widget(id);
    return [x + right * w, y + down * h];
  };
  // find does what is found first by some words. All keys may come within one frame, which it waits for.
  const find = async (words) => {
    for (const key of ["/", ...words, "Enter"]) await page.keyboard.press(key);
    await facts(); // which counts frames from here on
    await until("a frame after the keys", (f) => f.frames.frames > 0);
  };
  // pick opens the palette by a finger, brings an entry into view and taps it.
  const pick = async (id) => {
    await tap("menu");
    await until("the palette", (f) => f.widgets["list.close"]);
    const cdp = await context.newCDPSession(page);
    const { width, height } = page.viewportSize();
    const touch = (type, y) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: y ? [{ x: width / 2, y, id: 0 }] : [] });
    for (let i = 0; ; i++) {
      const r = (await facts()).widgets[id];
      if (r && r[3] > 30) break;
      assert(i < 60, `${id} is not reached`);
      await touch("touchStart", height / 2 + 100);
      for (const y of [40, -20, -100]) {
        await page.waitForTimeout(60);
        await touch("touchMove", height / 2 + y);
      }
      await page.waitForTimeout(60);
      await touch("touchEnd");
      await page.waitForTimeout(250);
    }
    await tap(id);
    await until("the palette to close", (f) => !f.widgets["list.close"]);
  };
  const tap = async (id) => page.touchscreen.tap(...(await middle(id)));
  // A frame is there once the page has drawn nothing new for a while.
  const quiet = async () => { for (let still = 0; still < 2; still = (await facts()).frames.redrawn === 0 ? still + 1 : 0) await page.waitForTimeout(150); };
  // keep takes a picture of what is on show. Drawn in parts, as it changed, the window is what it is when it is drawn
  // whole. A message that ends between the two has both taken again.
  const keep = async (what, path) => {
    for (;;) {
      await quiet();
      const { message } = await facts();
      const parts = await page.screenshot({ path });
      await page.evaluate(() => window.dispatchEvent(new Event("resize")));
      await page.waitForFunction(() => window.veilpathParts.length === 0);
      await quiet();
      if (parts.equals(await page.screenshot())) return;
      assert((await facts()).message !== message, `${what}: what changed was not all drawn`);
    }
  };
  // latency asks for another value and returns after how many ms a frame showed the flight and the whole ensemble, how many
  // others were drawn between the two, and how often the document was told of the picture till then. A frame counts from the
  // one after it.
  const latency = (what, value) => page.evaluate(([what, value]) => new Promise((done, failed) => {
    setTimeout(() => failed(new Error(`waited in vain for the ensemble after ${what} ${value}`)), 60_000);
    window.veilpathDescribe();
    const outline = window.veilpathOutline;
    let told = 0;
    window.veilpathOutline = (...now) => { told++; outline(...now); };
    let drawn = 0, first = 0, longest = 0, between = 0, parts = [];
    Object.defineProperty(window, "veilpathParts", { configurable: true, get: () => parts, set: (now) => { parts = now; if (now.length > 0) drawn++; } });
    const begun = performance.now();
    window.veilpathOperate(what, String(value));
    const look = () => {
      const ms = performance.now() - begun;
      let whole = false;
      if (drawn > 0) {
        const f = JSON.parse(window.veilpathDescribe());
        longest = Math.max(longest, f.frames.longest_step_ns / 1e6);
        whole = f.fresh === f.runs;
        if (first && !whole) between += drawn;
        drawn = 0;
        first ||= ms;
        if (whole) done({ first, all: ms, runs: f.runs, longest, between, told });
      }
      if (whole) window.veilpathOutline = outline;
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }), [what, value]);
  const done = async () => {
    assert.deepEqual(complaints, [], `${address}: the page complained`);
    await context.close();
  };
  return { context, page, facts, until, widget, middle, tap, find, pick, quiet, keep, latency, done };
};
