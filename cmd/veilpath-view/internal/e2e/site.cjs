// Opens a site of plain files: node site.cjs ADDRESS ...
"use strict";
const assert = require("node:assert/strict");
const { inChromium } = require("./chromium.cjs");
const { open } = require("./page.cjs");

async function visit(browser, address) {
  const { page, until, find, done } = await open(browser, address, { viewport: { width: 1280, height: 800 } });
  const f = await until("the recording", (f) => f.record === "study" && f.fresh === f.runs && f.runs === 30);
  assert.equal(f.mean_km.toFixed(2), f.recorded_mean_km.toFixed(2));
  await find("copy link");
  await until("a link", (f) => /address/.test(f.message));
  assert.match(page.url(), /#.*recording=study/);
  console.log(`${address}: ${f.mean_km} km`);
  await done();
}

inChromium(async (browser) => {
  for (const address of process.argv.slice(2)) await visit(browser, address);
});
