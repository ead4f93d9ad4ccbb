// Drives the page in headless Chromium: node browser.cjs ADDRESS RECORDED DOWNLOADS PICTURE
// The last line printed is what was on screen at the end, as JSON.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const assert = require("node:assert/strict");
const { inChromium } = require("./chromium.cjs");
const { open } = require("./page.cjs");

const [address, recorded, downloads, picture] = process.argv.slice(2);

// The one answer that the page is to be refused: that of the recording that was changed.
const expected = (m) => /409/.test(m.text()) && /changed/.test(m.location().url);

async function drive(browser) {
  const d = await open(browser, address, { viewport: { width: 1280, height: 800 }, permissions: ["clipboard-read", "clipboard-write"] }, expected);
  const { page, facts, until } = d;
  // A pointer stays until a frame has seen it. Keys do not wait for frames.
  const hold = 350;
  const click = async (x, y) => {
    await page.mouse.move(x, y);
    await page.waitForTimeout(hold);
    await page.mouse.down();
    await page.waitForTimeout(hold);
    await page.mouse.up();
    await page.waitForTimeout(hold);
  };
  const clickOn = async (id) => click(...(await d.middle(id)));
  const report = (what, f) => console.log(`${what}: ${(f.frames.frames / (f.elapsed || 1)).toFixed(1)} frames/s, longest step ${(f.frames.longest_step_ns / 1e6).toFixed(1)} ms`);
  const measure = async (what, ms) => {
    await facts();
    const from = Date.now();
    await page.waitForTimeout(ms);
    const f = await facts();
    f.elapsed = (Date.now() - from) / 1000;
    report(what, f);
  };

  // The first recording of the served folder was changed, which is said. The list has the others.
  let f = await until("what is wrong with the first", (f) => /^changed: .*changed: summary\.csv$/.test(f.message));
  assert.equal(f.record, "");
  await d.find("recordings");
  await until("the list", (f) => f.widgets["command.recording.flight"]);
  await clickOn("command.recording.flight");
  f = await until("the recorded flight", (f) => f.record === "flight" && f.run === 9 && f.epsilon === 0.5);
  await page.waitForFunction(() => /epsilon 0.5, run 9, recognised/.test(document.title));
  const flight = JSON.parse(fs.readFileSync(path.join(recorded, "flight", "manifest.json")));
  assert.equal(flight.run, 9);

  // It plays by itself; space pauses it and plays it on.
  await until("playing", (f) => f.time_s > 0.5);
  await page.keyboard.press("Space");
  f = await until("a pause", (f) => !f.playing);
  await page.keyboard.press("Space");
  await until("playing on", (n) => n.playing && n.time_s > f.time_s);
  await until("the ensemble", (f) => f.fresh === f.runs);
  await measure("playing 200 trajectories", 4000);
  // A key changes epsilon.
  const { epsilon } = await facts();
  await page.keyboard.press("ArrowUp");
  await until("another epsilon", (f) => f.epsilon > epsilon);
  await page.keyboard.press("ArrowDown");
  await until("all flights at it", (f) => f.epsilon === epsilon && f.finished);

  // Other recordings, from the list: the tune, the study with its mean.
  await d.find("recordings");
  await until("the list", (f) => f.widgets["command.recording.tune"]);
  await clickOn("command.recording.tune");
  f = await until("the recorded tune", (f) => f.record === "tune");
  assert.match(f.message, /a tune that chose epsilon [\d.]+/);
  await d.find("recordings");
  await until("the list", (f) => f.widgets["command.recording.study"]);
  await clickOn("command.recording.study");
  f = await until("the recorded study", (f) => f.record === "study" && f.runs === 120 && f.fresh === 120 && f.seed === 5);
  assert.equal(f.mean_km.toFixed(2), f.recorded_mean_km.toFixed(2), "the study flown again is the study recorded");

  await d.find("direct flight");
  await until("the direct flight", (f) => f.direct);
  await d.find("planned flight");
  await until("the planned flight", (f) => f.planned);
  await d.find("planned flight");
  await until("the private flight", (f) => !f.planned && !f.direct);

  // Dragging epsilon flies everything anew.
  const [x, y, w, h] = f.widgets.epsilon;
  await page.mouse.move(x + w * 0.5, y + h / 2);
  await page.mouse.down();
  await page.waitForTimeout(hold);
  await facts();
  for (let i = 0; i <= 10; i++) {
    await page.mouse.move(x + w * (0.5 - 0.015 * i), y + h / 2);
    await page.waitForTimeout(50);
  }
  await page.waitForTimeout(hold);
  await page.mouse.up();
  const released = Date.now();
  f = await until("another epsilon", (f) => f.epsilon < 0.9 && f.fresh === f.runs);
  console.log(`dragging epsilon: longest step ${(f.frames.longest_step_ns / 1e6).toFixed(1)} ms, ensemble of ${f.runs} complete ${Date.now() - released} ms after letting go`);

  // Files dropped on the page: a damaged one is refused in words, and the view goes on.
  const broken = path.join(downloads, "manifest.json");
  fs.writeFileSync(broken, fs.readFileSync(path.join(recorded, "study", "manifest.json")).subarray(0, 300));
  const cdp = await page.context().newCDPSession(page);
  const drop = async (file) => {
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await cdp.send("Input.dispatchDragEvent", { type, x: 400, y: 300, data: { items: [], files: [file], dragOperationsMask: 1 } });
    }
  };
  await drop(broken);
  const before = f;
  f = await until("a complaint", (f) => /incomplete/.test(f.message));
  assert.equal(f.epsilon, before.epsilon, "a damaged file changes nothing");
  await drop(path.join(recorded, "flight", "manifest.json"));
  f = await until("the flight dropped", (f) => f.epsilon === 0.5 && f.run === 9);

  // A file that is dropped without an entry of a file system is opened like any other.
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["privacy: {epsilon: 0.7}\n"], "mine.yaml"));
    document.querySelector("canvas").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await until("the settings dropped", (f) => f.epsilon === 0.7);
  await drop(path.join(recorded, "flight", "manifest.json"));
  f = await until("the flight dropped over them", (f) => f.epsilon === 0.5 && f.run === 9);

  // The settings as a link: the page at that address shows the same.
  await clickOn("run.next");
  await until("the next run", (f) => f.run === 10);
  await d.find("copy link");
  await page.waitForFunction(() => location.hash.includes("run=10"));
  const link = page.url();

  // The settings as a file.
  const [download] = await Promise.all([page.waitForEvent("download"), d.find("save settings")]);
  const config = path.join(downloads, "veilpath.yaml");
  await download.saveAs(config);
  const [image] = await Promise.all([page.waitForEvent("download"), d.find("picture of the window")]);
  await image.saveAs(`${picture}.png`);
  assert.equal(fs.readFileSync(`${picture}.png`).subarray(1, 4).toString(), "PNG");
  f = await until("the ensemble", (f) => f.fresh === f.runs);

  const other = await page.context().newPage();
  await other.goto(link);
  await other.waitForFunction(() => window.veilpathDescribe && JSON.parse(window.veilpathDescribe()).run === 10, null, { timeout: 60_000 });
  const same = JSON.parse(await other.evaluate(() => window.veilpathDescribe()));
  assert.equal(same.detection_km, f.detection_km, "the link leads to the same flight");
  await other.keyboard.press("ArrowRight");
  await other.waitForFunction(() => /run=11/.test(location.hash), null, { timeout: 20_000 }); // the address leads to what is on show
  await other.close();

  await d.done();
  console.log(JSON.stringify({ run: f.run, detection_km: f.detection_km, mean_km: f.mean_km, config }));
}

inChromium(drive);
