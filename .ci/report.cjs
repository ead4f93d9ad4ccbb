// Opens a report at the widths of phones, tablets and desks, and fails where a badge leaves its cell or the page
// scrolls sideways: node report.cjs REPORT. It needs Chromium and playwright-core, which .ci/viewer installs.
const { chromium } = require('playwright-core');

const widths = [320, 360, 480, 600, 768, 900, 1000, 1100, 1200, 1300, 1440, 1920];

// faults lists, inside the page, what sticks out.
function faults() {
  const out = [];
  for (const badge of document.querySelectorAll('td .badge')) {
    const beyond = badge.getBoundingClientRect().right - badge.closest('td').getBoundingClientRect().right;
    if (beyond > 0.5) out.push(`"${badge.textContent}" sticks out of its cell by ${Math.round(beyond)} px`);
  }
  const across = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (across > 0) out.push(`the page is ${across} px too wide`);
  return out;
}

(async () => {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  let found = 0;
  for (const width of widths) {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto('file://' + require('path').resolve(process.argv[2]));
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
    for (const fault of await page.evaluate(faults)) {
      console.log(`${width} px: ${fault}`);
      found++;
    }
    await page.close();
  }
  await browser.close();
  console.log(`the report at ${widths.length} widths: ${found} faults`);
  process.exit(found ? 1 : 0);
})();
