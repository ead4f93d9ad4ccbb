// Works the page as a finger does on a phone, then at random: node walk.cjs ADDRESS EVENTS
"use strict";
const assert = require("node:assert/strict");
const { inChromium } = require("./chromium.cjs");
const { open } = require("./page.cjs");

const [address, events] = process.argv.slice(2);

// phone plays, goes to the next flight, scrolls to the chart of epsilon, drags it, and types another epsilon.
async function phone(browser) {
  const d = await open(browser, address, { viewport: { width: 360, height: 740 }, hasTouch: true });
  const { page, until, middle, tap, done } = d;
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, x, y) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  const drag = async (from, to) => {
    await touch("touchStart", ...from);
    for (let i = 1; i <= 8; i++) {
      await touch("touchMove", from[0] + ((to[0] - from[0]) * i) / 8, from[1] + ((to[1] - from[1]) * i) / 8);
      await page.waitForTimeout(60);
    }
    await touch("touchEnd");
  };
  // still is how far down a widget is once it has stopped moving: frames may take long.
  const still = async (id) => {
    for (let was, now; ; was = now) {
      await d.facts(); // which counts frames from here on
      await until("two frames", (n) => n.frames.frames > 1);
      now = (await d.widget(id))[1];
      if (now === was) return now;
    }
  };
  // scroll turns the wheel until a widget is where it is wanted, a notch at a time.
  const scroll = async (id, notch, there) => {
    for (let at = await still(id); !there(at); at = await still(id)) {
      await page.mouse.wheel(0, notch);
      await until(`${id} to move`, (n) => n.widgets[id][1] !== at);
    }
  };
  let f = await until("all flights", (f) => f.finished);
  await tap("run.next");
  await until("the next flight", (n) => n.run === f.run + 1);
  const { playing } = await d.facts();
  await tap("play");
  await until("a pause, or playing on", (n) => n.playing !== playing);
  const [, y] = await d.widget("epsilon");
  await drag([180, 160], [180, 160 - Math.min(130, y - 500)]); // the map has no other use for that
  await until("the page to scroll", (n) => n.widgets.epsilon[1] < y - 40);
  await scroll("epsilon", 100, (at) => at <= 500);
  await drag(await middle("epsilon", 0.5, 0.8), await middle("epsilon", 0.2, 0.8));
  f = await until("another epsilon", (n) => n.epsilon < 0.6 && n.fresh === n.runs);
  await scroll("menu", -100, (at) => at >= 0);
  await tap("menu");
  await page.waitForFunction(() => !document.getElementById("find").hidden);
  await page.fill("#find", "epsilon 0.3");
  await page.keyboard.press("Enter");
  await until("the epsilon that was typed", (n) => n.epsilon === 0.3);
  await done();
}

// walk clicks, drags, turns the wheel and types, at places and by keys that a fixed seed draws. The page stays sound: it
// complains of nothing, shows a flight, and no control is too low to be clicked.
async function walk(browser, events) {
  const d = await open(browser, address, { viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  const { page, facts, until, done } = d;
  page.on("download", (download) => download.cancel());
  let seed = 7;
  const draw = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const keys = ["Space", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "e", "w", "c", "s", "Escape", "Control+z", "Control+Shift+Z", "PageDown", "/", "1", "Enter"];
  await until("the flights", (f) => f.fresh === f.runs);
  await facts();
  let longest = 0;
  for (let i = 0; i < events; i++) {
    const [x, y] = [draw(1280), draw(800)];
    switch (draw(5)) {
      case 0: await page.mouse.click(x, y); break;
      case 1: await page.mouse.down(); await page.mouse.move(x, y, { steps: 3 }); await page.mouse.up(); break;
      case 2: await page.mouse.wheel(0, draw(2) ? 100 : -100); break;
      case 3: await page.keyboard.press(keys[draw(keys.length)]); break;
      default: await page.mouse.move(x, y);
    }
    if (i % 50 === 49) {
      await page.keyboard.press("Escape");
      const f = await facts();
      longest = Math.max(longest, f.frames.longest_step_ns / 1e6);
      for (const [id, [, , w, h]] of Object.entries(f.widgets)) {
        if (!id.startsWith("command.")) assert.ok(w >= 8 && h >= 8, `${id} is ${w} x ${h} after ${i + 1} events`);
      }
    }
  }
  console.log(`${events} events, the longest step took ${longest.toFixed(0)} ms`);
  await page.keyboard.press("Escape");
  await until("all flights", (f) => f.fresh === f.runs && f.mean_km > 0);
  await done();
}

inChromium(async (browser) => {
  await phone(browser);
  await walk(browser, Number(events));
});
