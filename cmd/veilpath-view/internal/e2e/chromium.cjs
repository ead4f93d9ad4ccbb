"use strict";
const { chromium } = require("playwright-core");

// inChromium runs a drive of headless Chromium, which draws without a graphics card, and ends the process with 1 where
// it fails.
exports.inChromium = async (drive) => {
  try {
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
      args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    try {
      await drive(browser);
    } finally {
      await browser.close();
    }
  } catch (e) {
    console.error(e);
    process.exit(1);
  }
};
