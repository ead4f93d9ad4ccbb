// Opens a site of plain files: node site.cjs ADDRESS ...
"use strict";
const assert = require("node:assert/strict");
const { inChromium } = require("./chromium.cjs");

async function visit(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (e) => complaints.push(e.message));
  page.on("console", (m) => { if (m.type() === "error") complaints.push(m.text()); });
  await page.goto(address);
  await page.waitForFunction(() => window.veilpathDescribe, null, { timeout: 60_000 });
  const until = async (what, ok) => {
    for (let i = 0; i < 600; i++) {
      const f = JSON.parse(await page.evaluate(() => window.veilpathDescribe()));
      if (ok(f)) return f;
      await page.waitForTimeout(100);
    }
    throw new Error(`${address}: waited in vain for ${what}: ${complaints}`);
  };
  const f = await until("the recording", (f) => f.record === "study" && f.fresh === f.runs && f.runs === 30);
  assert.match(f.mean, /as recorded/);
  await page.keyboard.press("l");
  await until("a link", (f) => /address/.test(f.message));
  assert.match(page.url(), /#.*recording=study/);
  assert.deepEqual(complaints, []);
  console.log(`${address}: ${f.mean}`);
  await context.close();
}

inChromium(async (browser) => {
  for (const address of process.argv.slice(2)) await visit(browser, address);
});
