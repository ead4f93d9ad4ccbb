// Drives the page of flights that commands made: node commands.cjs study|run ADDRESS PICTURES
"use strict";
const assert = require("node:assert/strict");
const { inChromium } = require("./chromium.cjs");
const { open } = require("./page.cjs");

const [what, address, pictures] = process.argv.slice(2);

async function visitStudy(browser, width, height) {
  const d = await open(browser, address, { viewport: { width, height } });
  const { page, facts, until, done } = d;
  let f = await until("the recorded study", (f) => f.record === "study" && f.finished);
  assert.match(f.mean, /as recorded/, f.mean);
  await d.keep("the study", `${pictures}-${width}.png`);
  // The other recorded epsilon is shown too, with its recorded mean; another one is refused in a sentence.
  const other = f.epsilon === 2 ? 0.5 : 2;
  await page.evaluate((e) => window.veilpathOperate("epsilon", String(e)), other);
  f = await until("the other epsilon", (f) => f.epsilon === other && f.finished);
  assert.match(f.mean, /as recorded/, f.mean);
  await page.evaluate(() => window.veilpathOperate("epsilon", "1"));
  f = await until("a refusal", (f) => /at epsilon 0.5 and 2 only/.test(f.message));
  assert.equal(f.epsilon, other);
  await d.keep("the refusal", `${pictures}-refused-${width}.png`);
  await page.evaluate(() => window.veilpathOperate("sample", ""));
  f = await until("a refusal of other noise", (f) => /not fly with other settings/.test(f.message));
  assert.equal(f.seed, 7);
  console.log(`${width}: ${f.mean}`);
  await done();
}

// The flight is among the others of its study that were flown for the page.
async function visitRun(browser, width, height) {
  const d = await open(browser, address, { viewport: { width, height } });
  const f = await d.until("the flight", (f) => f.run === 9 && f.epsilon === 1 && f.finished);
  assert.equal(f.runs, 20);
  await d.keep("the flight", `${pictures}-run-${width}.png`);
  console.log(`${width}: ${f.mean}`);
  await d.done();
}

inChromium(async (browser) => {
  const visit = what === "study" ? visitStudy : visitRun;
  await visit(browser, 1280, 800);
  await visit(browser, 360, 740);
});
