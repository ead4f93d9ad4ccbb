// Goes through every panel by fingers, by mouse and by keys alone, and keeps pictures of them:
// node panels.cjs ADDRESS LINK FOLDER
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const { inChromium } = require("./chromium.cjs");
const { apart, open } = require("./page.cjs");

const [address, link, folder] = process.argv.slice(2);

// show opens the link in a window of its own, still and finished.
async function show(browser, width, height, theme, touch) {
  const d = await open(browser, address + "#" + link, { viewport: { width, height }, colorScheme: theme, hasTouch: touch, isMobile: touch });
  const picture = async (name) => d.keep(name, path.join(folder, name + ".png"));
  // again follows the link anew, whatever is on show.
  const again = async () => {
    await d.page.evaluate(() => { location.hash = "#run=9"; });
    await d.until("another link", (f) => f.run === 9);
    await d.page.evaluate((link) => { location.hash = "#" + link; }, link);
    await d.until("the link again", (f) => f.finished && f.run === 3 && f.epsilon === 0.4 && f.message === "");
  };
  await d.until("all flights", (f) => f.finished && f.message === "" && !f.playing);
  return { ...d, picture, again };
}

// fingers opens every panel of a phone by its button, dark as the system asks for and light by the menu.
async function fingers(browser) {
  const d = await show(browser, 360, 740, "dark", true);
  const { tap } = d;
  const panels = ["key", "guess", "flights", "map", "why", "settings"];
  const inside = { settings: "epsilon", guess: "error", flights: "distribution", map: "axis" };
  for (const theme of ["dark", "light"]) {
    if (theme === "light") {
      await d.pick("command.theme");
    }
    for (const panel of panels) {
      await tap("tab." + panel);
      if (inside[panel]) await d.until(`panel ${panel}`, (f) => f.widgets[inside[panel]]);
      await d.picture(`360x740-${theme}-${panel}`);
    }
  }
  // What the panels show is touched: the next flight, an epsilon of the curve.
  await tap("run.next");
  await d.until("the next run", (f) => f.run === 4);
  await tap("tab.map");
  await d.page.touchscreen.tap(...(await d.middle("axis", 0.75)));
  await d.until("the epsilon of the curve", (f) => f.epsilon > 0.4);
  await d.done();
}

// mouse uses every panel of a wide window, and of a large one.
async function mouse(browser) {
  const d = await show(browser, 1280, 800, "light", false);
  await d.picture("1280x800-light");
  await d.page.setViewportSize({ width: 2560, height: 1440 });
  await d.picture("2560x1440-light");
  for (const [width, height] of [[2560, 1440], [1280, 800]]) {
    await d.page.setViewportSize({ width, height });
    await d.quiet();
    await use(d);
    await d.keep("after all was used");
    await d.again();
  }
  await d.done();
}

// enlarged uses a window whose pixels are no whole ones of the layout's.
async function enlarged(browser) {
  const d = await open(browser, address + "#" + link, { viewport: { width: 1281, height: 801 }, deviceScaleFactor: 1.25 });
  await d.until("all flights", (f) => f.finished && f.message === "" && !f.playing);
  for (let i = 0; i < 3; i++) { // the map is painted to its edges
    await d.find("enlarge the map");
    await d.quiet();
  }
  await d.keep("after keys, enlarged");
  await d.done();
}

// use sets something with the mouse in every panel that there is.
async function use(d) {
  const click = async (id, right, down) => d.page.mouse.click(...(await d.middle(id, right, down)), { delay: 400 });
  await click("run.next");
  await d.until("the next run", (f) => f.run === 4);
  const f = await d.until("all flights", (f) => f.finished);
  const dot = apart(f.dots, 4);
  await d.page.mouse.click(dot.x * f.zoom, dot.y * f.zoom, { delay: 400 });
  await d.until("the run of a dot", (f) => f.dots.some((dot) => dot.run === f.run) && f.run !== 4);
  await click("error", 0.4, 0.9); // beside the line of the radius, which is for dragging
  const { time_s } = await d.until("a moment of the guess", (f) => f.time_s !== 60);
  await click("scrubber", 0.9);
  await d.until("a moment of the time line", (f) => f.time_s !== time_s);
  await d.quiet(); // what the last press changed is all there
  await click("menu");
  await d.until("the palette", (f) => f.widgets["list.close"]);
  await d.page.keyboard.press("Escape");
  await d.until("the end of the palette", (f) => !f.widgets["list.close"]);
  for (const [verb, there, gone] of [["privacy", "calibration.classical", false], ["story", "story.on", true]]) {
    const has = (f) => Boolean(f.widgets[there]) === gone;
    await click(verb);
    await d.until(`what ${verb} does`, has);
    await click(verb);
    await d.until(`the end of what ${verb} does`, (f) => !has(f));
  }
}

// keys uses what the mouse uses, by keys alone.
async function keys(browser) {
  const [width, height] = [1280, 800];
  const d = await show(browser, width, height, "dark", false);
  await d.picture("1280x800-dark");
  const press = (key) => d.page.keyboard.press(key);
  const change = async (key, what, ok) => { await press(key); return d.until(what, ok); };
  await change("]", "the next run", (f) => f.run === 4);
  await change("[", "the run before", (f) => f.run === 3);
  await change("ArrowUp", "a larger epsilon", (f) => f.epsilon > 0.4);
  await change("Control+z", "the change undone", (f) => f.epsilon === 0.4);
  await change("ArrowRight", "five seconds later", (f) => f.time_s === 65);
  await change("ArrowLeft", "five seconds earlier", (f) => f.time_s === 60);
  await d.find("direct flight");
  await d.until("the direct flight", (f) => f.direct);
  await d.find("planned flight");
  await d.until("the planned flight", (f) => f.planned);
  await d.find("planned flight");
  await d.until("the private flight", (f) => !f.direct && !f.planned);
  await d.find("flight on show 12");
  await d.until("the run typed", (f) => f.run === 12);
  await change("Control+z", "the run before it", (f) => f.run === 3);
  await change("Control+Shift+Z", "the run done again", (f) => f.run === 12);
  await change("Control+z", "the run undone again", (f) => f.run === 3);
  for (const [key, opens] of [["?", "help"], ["/", "list.close"], ["Control+k", "list.close"]]) {
    await change(key, `what ${key} opens`, (f) => f.widgets[opens]);
    await change("Escape", `what ${key} opens to close`, (f) => !f.widgets[opens]);
  }
  await change("s", "the story", (f) => f.widgets["story.on"]);
  // Sized there and back, and led there again, the window is what it was.
  for (const [w, h] of [[360, 740], [2560, 1440], [width, height]]) {
    await d.page.setViewportSize({ width: w, height: h });
    await d.quiet();
  }
  await d.again();
  await d.picture("1280x800-dark-back");
  await d.find("light theme");
  await d.picture("1280x800-light-back");
  await d.find("dark theme");
  await d.page.setViewportSize({ width: 2560, height: 1440 });
  await d.picture("2560x1440-dark");
  await d.done();
}

// tabbed works the controls of the document: they keep the keys that work them, and give the others to the program.
async function tabbed(browser) {
  const d = await show(browser, 1280, 800, "dark", false);
  const press = (key) => d.page.keyboard.press(key);
  const change = async (key, what, ok) => { await press(key); return d.until(what, ok); };
  const focus = () => d.page.evaluate(() => document.activeElement.id);
  const stays = async (id, what) => assert.equal(await focus(), id, what);
  const tabTo = async (id) => { for (let i = 0; i < 40 && (await focus()) !== id; i++) await press("Tab"); await stays(id, "Tab reaches it"); };
  await tabTo("outline-epsilon");
  const step = await d.page.evaluate(() => document.activeElement.value);
  for (const [key, more] of [["ArrowUp", true], ["ArrowDown", false], ["ArrowRight", true], ["ArrowLeft", false]]) {
    const { epsilon } = await d.facts();
    await change(key, `${key} on the slider`, (f) => (more ? f.epsilon > epsilon : f.epsilon < epsilon));
    await change("Control+z", "it undone", (f) => f.epsilon === epsilon);
    await change(more ? "Control+Shift+Z" : "Control+y", "it done again", (f) => f.epsilon !== epsilon);
    await change("Control+z", "it undone again", (f) => f.epsilon === epsilon);
    await d.page.waitForFunction((step) => document.activeElement.value === step, step); // which follows what was undone
  }
  await change(" ", "Space on the slider to play", (f) => f.playing);
  await change(" ", "Space on the slider to pause", (f) => !f.playing);
  for (const [key, opens] of [["?", "help"], ["/", "list.close"], ["Control+k", "list.close"]]) {
    await change(key, `what ${key} opens on the slider`, (f) => f.widgets[opens]);
    await d.page.waitForFunction(() => document.activeElement.matches("canvas"));
    await d.page.waitForTimeout(1200); // which the document is told of it after
    await change("Escape", `what ${key} opens to close`, (f) => !f.widgets[opens]);
    await d.page.waitForFunction(() => document.activeElement.id === "outline-epsilon");
  }
  await press("Escape");
  assert(await d.page.evaluate(() => document.activeElement.matches("canvas")), "Esc leads to the picture");
  await press("Tab");
  await stays("outline-epsilon", "Tab leads back to where Esc left");
  await tabTo("outline-privacy");
  const privacy = (f) => Boolean(f.widgets["calibration.classical"]);
  const folds = privacy(await d.facts());
  await change(" ", "Space on a button to press it", (f) => privacy(f) !== folds && !f.playing);
  const { time_s } = await d.facts();
  await change("ArrowRight", "an arrow on a button", (f) => f.time_s === time_s + 5);
  await change("/", "the palette from a button", (f) => f.widgets["list.close"]);
  await d.page.keyboard.type("epsilon 0.7");
  await change("Enter", "what was typed", (f) => f.epsilon === 0.7);
  const back = async () => { await d.page.goto("about:blank"); await d.page.goBack(); };
  for (const come of [() => d.page.reload(), back]) {
    await come();
    await d.page.waitForFunction(() => window.veilpathDescribe);
    await d.until("what was on show before", (f) => f.epsilon === 0.7 && f.run === 3);
  }
  await d.done();
}

inChromium(async (browser) => {
  for (const way of [fingers, mouse, keys, tabbed, enlarged]) {
    const from = Date.now();
    await way(browser);
    console.log(`${way.name}: ${((Date.now() - from) / 1000).toFixed(0)} s`);
  }
});
