// Drives the page by touch on a phone, in a window that changes its size, and by addresses:
// node phone.cjs ADDRESS PICTURE
"use strict";
const assert = require("node:assert/strict");
const { inChromium } = require("./chromium.cjs");
const { apart, open } = require("./page.cjs");

const [address, picture] = process.argv.slice(2);

// phone taps, pinches and folds panels. A tap is over in a few milliseconds, long before the next frame.
async function phone(browser) {
  const d = await open(browser, address, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  const { page, until, middle, tap } = d;
  let f = await until("the ensemble", (f) => f.record !== "" && f.fresh === f.runs);
  assert.equal(f.zoom, 1, "a phone has its own layout, not a shrunken one");
  await tap("play");
  f = await until("a pause", (f) => !f.playing);
  await tap("tab.flights");
  f = await until("the flights", (f) => f.widgets.distribution);
  const dot = apart(f.dots, f.run);
  await page.touchscreen.tap(dot.x, dot.y);
  await until("the run tapped", (f) => f.run === dot.run);

  // A tap on a value opens a field that has the focus, which brings up the keyboard; what is typed there sets it. Words
  // find everything, and what is chosen closes the field.
  const typing = () => page.evaluate(() => document.activeElement.id === "find" && document.activeElement.inputMode);
  await tap("tab.settings");
  await until("the settings", (f) => f.widgets.radius);
  for (const [id, number, set] of [["epsilon", "0.3", (f) => f.epsilon === 0.3], ["radius", "4", (f) => f.radius_km === 4]]) {
    await page.touchscreen.tap(...(await middle(id, 0.95)));
    await page.waitForFunction(() => document.activeElement.id === "find");
    assert.equal(await typing(), "decimal");
    await page.keyboard.type(number);
    await page.screenshot({ path: `${picture}-typing-${id}.png` });
    await page.keyboard.press("Enter");
    await until(`${id} ${number}`, set);
  }
  await tap("menu");
  await page.waitForFunction(() => document.activeElement.id === "find");
  assert.equal(await typing(), "text");
  for (const key of [..."flight on show 3", "ArrowDown", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  assert.equal(await typing(), false, "the keyboard goes with the field");
  f = await until("run 3", (f) => f.run === 3);
  await until("the ensemble of the new settings", (f) => f.fresh === f.runs);
  await tap("tab.flights");
  await until("the flights again", (f) => f.widgets.distribution);

  // Two fingers zoom the map, which the link then tells; two taps show the whole of it.
  const [x, y] = await middle("map");
  const cdp = await d.context.newCDPSession(page);
  const touch = async (type, ...points) => {
    await cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    await page.waitForTimeout(120);
  };
  await touch("touchStart", [x - 30, y]);
  await touch("touchStart", [x - 30, y], [x + 30, y]);
  for (let i = 1; i <= 5; i++) await touch("touchMove", [x - 30 - 9 * i, y], [x + 30 + 9 * i, y]);
  await touch("touchEnd");
  await d.pick("command.link");
  await page.waitForFunction(() => location.hash.includes("zoom="));
  const zoom = Number(new URLSearchParams(page.url().split("#")[1]).get("zoom"));
  assert.ok(zoom > 2 && zoom < 3, `fingers two and a half times as far apart zoom by ${zoom}`);
  // Sent without waiting for the page, which may take longer to answer than two taps may lie apart.
  const twice = ["touchStart", "touchEnd", "touchStart", "touchEnd"];
  await Promise.all(twice.map((type) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchStart" ? [{ x, y, id: 0 }] : [] })));
  await page.waitForTimeout(1500);
  await d.pick("command.link");
  await page.waitForFunction(() => !location.hash.includes("zoom="));
  // Two fingers that go the same way move the map; one that rests tells values, and chooses nothing.
  await touch("touchStart", [x - 30, y]);
  await touch("touchStart", [x - 30, y], [x + 30, y]);
  for (let i = 1; i <= 4; i++) await touch("touchMove", [x - 30 + 8 * i, y + 5 * i], [x + 30 + 8 * i, y + 5 * i]);
  await touch("touchEnd");
  await d.pick("command.link");
  await page.waitForFunction(() => location.hash.includes("center="));
  assert.ok(!page.url().includes("zoom="), "fingers as far apart as before do not zoom");
  const { run, dots, zoom: scale } = await d.facts();
  const other = dots.find((d) => d.run !== run);
  await touch("touchStart", [other.x * scale, other.y * scale]);
  f = await until("values at the finger", (f) => f.hint !== "");
  await page.screenshot({ path: `${picture}-values.png` });
  await touch("touchEnd");
  assert.equal((await d.facts()).run, run, `a finger that rests chooses nothing; it is told ${f.hint}`);
  await tap("tab.flights");
  await until("the panel folded away", (f) => !f.widgets.distribution);
  await page.screenshot({ path: `${picture}-phone.png` });
  await d.done();
}

// sizes changes the window's size there and back.
async function sizes(browser) {
  const d = await open(browser, address, { viewport: { width: 1280, height: 800 } });
  await d.until("the ensemble", (f) => f.record !== "" && f.fresh === f.runs);
  await d.page.keyboard.press("e"); // which stops there
  const before = await d.until("a still flight", (f) => !f.playing && f.time_s > 0);
  for (const [width, height] of [[500, 900], [2560, 1440], [360, 740], [1280, 800]]) {
    await d.page.setViewportSize({ width, height });
    await d.page.waitForTimeout(800);
    await d.page.screenshot({ path: `${picture}-${width}x${height}.png` });
  }
  const after = await d.until("the old size", (f) => JSON.stringify(f.widgets) === JSON.stringify(before.widgets));
  assert.equal(after.time_s, before.time_s);
  await d.find("copy link");
  await d.page.waitForFunction(() => location.hash.length > 1);
  assert.ok(!/zoom=|center=/.test(d.page.url()), `the map is no longer whole: ${d.page.url()}`);
  await d.done();
}

// addresses follows a link that is typed into the page's address, and refuses the clipboard.
async function addresses(browser) {
  const d = await open(browser, address + "#privacy.epsilon=0.4&run=3&t=61.3&map=noise&fan=off&theme=light&speed=2", { viewport: { width: 1280, height: 800 } });
  let f = await d.until("what the link says", (f) => f.epsilon === 0.4 && f.run === 3);
  assert.equal(f.time_s, 61.3);
  assert.equal(f.playing, false);
  await d.page.evaluate(() => { location.hash = "#privacy.epsilon=2&run=5&theme=dark"; });
  f = await d.until("the other address", (f) => f.epsilon === 2 && f.run === 5);
  await d.page.evaluate(() => { location.hash = "#privacy.epsilon=2&map=pink"; });
  f = await d.until("a complaint", (f) => /map "pink"/.test(f.message));
  assert.equal(f.run, 5, "a link that does not work changes nothing");
  for (const [refuse, want] of [[true, /did not let it be copied/], [false, /is in the clipboard/]]) {
    await d.page.evaluate((refuse) => {
      navigator.clipboard.writeText = () => refuse ? Promise.reject(new Error("refused")) : Promise.resolve();
    }, refuse);
    await d.find("copy link");
    await d.until(`the word on the clipboard, refused ${refuse}`, (f) => want.test(f.message));
  }
  await d.done();
}

// words reaches what the picture shows by the Tab key alone, and works it.
async function words(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  // Browsers keep what they have compiled only of a response as it came, which alone has an address.
  await page.addInitScript(() => {
    const { instantiateStreaming } = WebAssembly;
    WebAssembly.instantiateStreaming = (response, imports) => {
      window.compiled = response.url;
      return instantiateStreaming(response, imports);
    };
  });
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await page.waitForFunction(() => window.veilpathDescribe && document.querySelector("#outline h1")?.textContent, null, { timeout: 60_000 });
  assert.match(await page.evaluate(() => window.compiled), /viewer\.wasm\?\w+$/, "the browser can keep what it compiles");
  const facts = async () => JSON.parse(await page.evaluate(() => window.veilpathDescribe()));
  await page.waitForFunction(() => JSON.parse(window.veilpathDescribe()).record === "out", null, { timeout: 20_000 });
  assert.equal((await facts()).playing, false, "nothing moves by itself");
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.id) === "outline-epsilon") break;
  }
  assert.equal(await page.evaluate(() => document.activeElement.id), "outline-epsilon", "Tab leads to epsilon");
  const before = (await facts()).epsilon;
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  await page.waitForFunction((before) => JSON.parse(window.veilpathDescribe()).epsilon > before, before, { timeout: 20_000 });
  await page.waitForFunction(() => /recognised/.test(document.querySelector("#outline table")?.textContent), null, { timeout: 20_000 });
  assert.equal(await page.evaluate(() => [...document.querySelectorAll("#outline input, #outline select")].every((e) => e.labels.length === 1)), true, "everything has a label");
  // Tab alone comes to every control, and keys work the lists and what the pointer drags.
  const controls = await page.evaluate(() => [...document.querySelectorAll("#outline input, #outline select, #outline button, #outline summary")].filter((e) => e.checkVisibility()).length);
  await page.evaluate(() => { window.reached = new Set(); document.getElementById("outline").addEventListener("focusin", (e) => window.reached.add(e.target)); });
  for (let i = 0; i < controls + 5; i++) await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => window.reached.size) >= controls, `Tab comes to ${await page.evaluate(() => window.reached.size)} of ${controls} controls`);
  const summaries = await page.evaluate(() => [...document.querySelectorAll("#outline summary")].map((e) => e.textContent));
  assert.deepEqual(summaries.slice(0, 3), ["Who watches", "Save", "Panels"]);
  await page.focus("#outline details:nth-of-type(2) summary");
  await page.keyboard.press("Enter");
  await page.focus('[id="outline-export.summary"]');
  const [saved] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  assert.match(saved.suggestedFilename(), /^summary-epsilon-.*\.csv$/);
  await page.waitForFunction(() => /Saved summary-epsilon-/.test(document.querySelector("#status[aria-live]").textContent), null, { timeout: 20_000 });
  await page.focus("#outline-keep-out");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("outline-allow"), null, { timeout: 20_000 });
  await page.focus("#outline-undo");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.getElementById("outline-allow"), null, { timeout: 20_000 });
  // What charts draw is told in tables that are opened, and the keys where the help is.
  const table = (title) => page.evaluate((title) => {
    const details = [...document.querySelectorAll("#outline details")].find((e) => e.firstChild.textContent.startsWith(title));
    details.firstChild.focus();
    return { open: details.open, rows: [...details.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent)) };
  }, title);
  const told = async (title, ok) => {
    for (let i = 0; i < 300; i++) { // the whole range of epsilon takes long on a slow machine
      const now = await table(title);
      if (ok(now)) return now;
      await page.waitForTimeout(100);
    }
    throw new Error(`${title}: waited in vain, there is ${JSON.stringify(await table(title))}`);
  };
  for (const [title, rows] of [["This flight along", 2], ["Mean distance of recognition along", 10]]) {
    assert.deepEqual(await table(title), { open: false, rows: [] }, `${title} before it is opened`);
    await page.keyboard.press("Enter");
    const { rows: [first] } = await told(title, (now) => now.open && now.rows.length >= rows);
    assert.match(first.join(" "), /^[\d.]+ .*\d\.\d/, title);
  }
  await table("Help");
  await page.focus("#outline-help");
  await page.keyboard.press("Enter");
  assert.ok((await told("Help", (now) => now.open && now.rows.length > 10)).rows.some(([key, does]) => key === "Space" && /play/.test(does)), "the help tells the keys");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("outline-help").getAttribute("aria-pressed") === "false", null, { timeout: 20_000 });
  // A button that opens a list over the picture opens it here too, and another observer is in its heading.
  const watchers = () => page.evaluate(() => [...document.querySelectorAll("#outline details")].find((e) => e.firstChild.textContent === "Who watches").open);
  for (const open of [true, false]) {
    await page.focus("#outline-observer");
    await page.keyboard.press("Enter");
    await page.waitForFunction((open) => document.getElementById("outline-observer").getAttribute("aria-pressed") === String(open), open, { timeout: 20_000 });
    assert.equal(await watchers(), open, "the list of observers");
  }
  await page.selectOption("#outline-adversary", "handover_circle");
  await page.waitForFunction(() => document.querySelector("#outline h1").textContent.includes("handover_circle"), null, { timeout: 20_000 });
  await page.selectOption("#outline-adversary", "ballistic");
  // Where a control goes when it is pressed, the one before it has the focus.
  const goes = async (id, focused) => {
    await page.waitForFunction((id) => document.getElementById("outline-" + id), id, { timeout: 20_000 });
    await page.focus(`[id="outline-${id}"]`);
    await page.keyboard.press("Enter");
    await page.waitForFunction((id) => !document.getElementById("outline-" + id), id, { timeout: 20_000 });
    assert.equal(await page.evaluate(() => document.activeElement.id), "outline-" + focused, `the focus after ${id}`);
  };
  await page.evaluate(() => document.getElementById("outline-keep-out").click());
  await goes("allow", "keep-out");
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("h1, h2, h3")].filter((e) => e.checkVisibility()).map((e) => e.tagName)), ["H1", "H2", "H2", "H2", "H2", "H2"], "headings go down by one");
  assert.equal(await page.evaluate(() => [...document.querySelectorAll("#outline table")].filter((e) => e.checkVisibility()).every((e) => e.querySelector("caption") && e.querySelector("thead th[scope=col]"))), true, "tables have a caption and headings");
  await page.screenshot({ path: `${picture}-words.png` });
  assert.equal(await page.evaluate(() => document.getElementById("outline-fan").getAttribute("aria-pressed")), "true", "what is on is told");
  assert.equal(await page.evaluate(() => document.getElementById("outline-undo").hasAttribute("aria-pressed")), false, "what is done once is not on or off");
  for (const colorScheme of ["dark", "light"]) { // the page heeds what the system prefers as it changes
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction((scheme) => document.getElementById("outline").className === scheme, colorScheme, { timeout: 20_000 });
  }
  await page.focus("#outline-epsilon");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "CANVAS", "Escape leads back to the picture");
  await page.keyboard.press("Tab");
  await page.focus("#outline-story");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /Step 1 of/.test(document.getElementById("outline").textContent), null, { timeout: 20_000 });
  await goes("story.end", "story.on");
  // Motion that plays by itself ends when the system asks for less.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.focus("#outline-play");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => JSON.parse(window.veilpathDescribe()).playing, null, { timeout: 20_000 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.waitForFunction(() => !JSON.parse(window.veilpathDescribe()).playing, null, { timeout: 5_000 });
  await context.close();
}

inChromium(async (browser) => {
  const parts = { phone, sizes, addresses, words };
  for (const name of (process.env.PARTS || Object.keys(parts).join(",")).split(",")) await parts[name](browser);
});
