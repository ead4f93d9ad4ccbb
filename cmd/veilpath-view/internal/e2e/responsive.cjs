// Chooses every observer and does at random what can be done, and measures for how long the page does nothing else:
// node responsive.cjs ADDRESS STEPS SEED LONGEST_MS
"use strict";
const assert = require("node:assert/strict");
const { inChromium } = require("./chromium.cjs");
const { open } = require("./page.cjs");

const [address, steps, seed, longestMs] = process.argv.slice(2);

// Nothing that is done may take the page's thread for longer, ms.
const most = Number(longestMs);

// gather has the page gather what it does for long and what its document is told.
const gather = () => {
  window.tasks = [];
  new PerformanceObserver((list) => { for (const e of list.getEntries()) window.tasks.push(e.duration); }).observe({ type: "longtask" });
  let told;
  Object.defineProperty(window, "veilpathOutline", {
    get: () => (text, zoom) => { window.outlineText = text; told?.(text, zoom); },
    set: (tell) => { told = tell; },
  });
};

inChromium(async (browser) => {
  const plain = browser.newContext.bind(browser);
  browser.newContext = async (options) => { const c = await plain(options); await c.addInitScript(gather); return c; };
  const d = await open(browser, address, { viewport: { width: 1280, height: 800 } });
  const { page, facts, until } = d;
  const longest = async () => Math.max(0, ...(await page.evaluate(() => window.tasks.splice(0))));
  const outline = async () => JSON.parse(await page.evaluate(() => window.outlineText));
  const operate = (id, value = "") => page.evaluate((args) => window.veilpathOperate(...args), [id, String(value)]);
  const there = (f) => f.fresh === f.runs && !f.preparing;
  const measured = async (what, f) => {
    const begun = Date.now();
    await f();
    await page.waitForTimeout(300);
    await until(what, there);
    const took = Date.now() - begun;
    await page.waitForTimeout(steps < 1000 ? 800 : 4000); // for the map
    const ms = await longest();
    console.log(`${what}: there after ${took} ms, longest task ${ms.toFixed(0)} ms`);
    assert(ms < most, `${what} takes the page for ${ms} ms`);
  };
  await until("the ensemble", there);
  await page.waitForTimeout(1000);
  await longest(); // of the start

  const observers = (await outline()).choices.find((c) => c.id === "adversary").options;
  assert(observers.length > 9);
  for (const name of observers) {
    await measured(name, () => operate("adversary", name));
    await measured(`${name} at another epsilon`, () => operate("epsilon", 0.7));
    await operate("epsilon", 1);
    await until("epsilon", there);
  }
  for (const mechanism of ["mechanism.goal", "mechanism.reward"]) await measured(mechanism, () => operate(mechanism));
  await measured("beliefs", () => operate("map", "belief"));
  await operate("map", "off");

  // Another observer is being prepared: the page says so, goes on, and Esc keeps the one before.
  await operate("adversary", "ballistic");
  await operate("sample"); // of which nobody has learned yet
  await until("another sample", there);
  await operate("adversary", "learned");
  let f = await until("a preparation under way", (f) => f.preparing && /learning from 2000 flights.* [1-9]\d? %/.test(f.message));
  await page.keyboard.press("]");
  await until("the next flight meanwhile", (n) => n.preparing && n.run === f.run + 1);
  await page.keyboard.press("Escape");
  f = await until("no preparation", (f) => !f.preparing);
  assert.doesNotMatch(f.message, /learning/);
  console.log(`left a preparation, longest task ${(await longest()).toFixed(0)} ms`);

  await walk(d, outline, operate, longest);
  await d.done();
});

// walk does at random what can be done, apart from leaving the page and saving files.
async function walk({ page, facts, until }, outline, operate, longest) {
  let state = Number(seed) || 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const pick = (list) => list[Math.floor(random() * list.length)];
  const keys = [" ", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End", ".", ",", "e", "w", "p", "c", "s", "/", "Control+z", "Control+Shift+z", "Escape", "Escape", "?", "]", "["];
  const leaves = (id) => /^(export|open|link|library|command\.(export|open|link))/.test(id);
  const anywhere = ([x, y, w, h]) => [x + w * random(), y + h * random()];
  let worst = 0;
  for (let i = 0; i < Number(steps); i++) {
    const places = Object.entries((await facts()).widgets).filter(([id]) => !leaves(id));
    const place = () => anywhere(places.length && random() < 0.8 ? pick(places)[1] : [0, 0, 1280, 800]);
    let what;
    switch (Math.floor(random() * 5)) {
      case 0:
        await page.keyboard.press(what = pick(keys));
        break;
      case 1: {
        const o = await outline();
        const all = [...o.buttons.map((b) => [b.id, ""]), ...o.sliders.map((s) => [s.id, s.low + (s.high - s.low) * random() ** 2]),
          ...o.choices.map((c) => [c.id, pick(c.options)]), ...o.lists.flatMap((l) => l.items.map((it) => [it.id, ""]))].filter(([id]) => !leaves(id));
        what = pick(all);
        if (what[0] !== "runs" || what[1] < 500) await operate(...what);
        break;
      }
      default: {
        const from = place();
        what = ["pointer", ...from];
        await page.mouse.move(...from);
        await page.mouse.down();
        if (random() < 0.3) await page.mouse.move(...place(), { steps: 4 });
        await page.mouse.up();
        if (random() < 0.1) await page.mouse.wheel(0, random() < 0.5 ? 100 : -100);
      }
    }
    const ms = await longest();
    if (ms > worst) console.log(`step ${i}, ${what}: ${ms.toFixed(0)} ms`);
    worst = Math.max(worst, ms);
    assert(ms < most, `step ${i}, ${what} takes the page for ${ms} ms`);
  }
  console.log(`${steps} steps at random, longest task ${worst.toFixed(0)} ms`);
}
