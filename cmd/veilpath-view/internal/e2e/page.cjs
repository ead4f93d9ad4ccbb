"use strict";
const assert = require("node:assert/strict");

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
  const tap = async (id) => page.touchscreen.tap(...(await middle(id)));
  const done = async () => {
    assert.deepEqual(complaints, [], `${address}: the page complained`);
    await context.close();
  };
  return { context, page, facts, until, widget, middle, tap, find, done };
};
