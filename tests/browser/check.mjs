// The pages of a site in a real browser: nothing is fetched and nothing goes wrong, every size and theme holds, the replay plays and
// seeks, the keyboard alone is enough, tables carry the numbers of the charts, axe finds nothing, hostile text runs no script.
// Run by scripts/browser-tests.sh, which installs what is imported here:  node check.mjs GAUNTLET REPLAYS CHROMIUM [SHOTS]

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ATTACKS, hostileRace } from './hostile.mjs';

// What is installed stands in the folder of this run, not beside this file.
const require = createRequire(join(process.cwd(), 'x.js'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [gauntlet, replays, browserPath, shots] = process.argv.slice(2);

const folder = mkdtempSync(join(tmpdir(), 'gauntlet-browser-'));
const site = join(folder, 'site');
const hostileId = hostileRace(join(replays, '21-real-qwen-1.5b-attempt1'), join(folder, 'hostile', 'race'));
execFileSync(gauntlet, ['site', replays, '--out', site], { stdio: 'pipe' });
const hostileSite = join(folder, 'hostile-site');
execFileSync(gauntlet, ['site', join(folder, 'hostile'), '--out', hostileSite], { stdio: 'pipe' });

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

let failures = 0;
let checks = 0;
function check(holds, what) {
  checks += 1;
  if (holds) return;
  failures += 1;
  console.error(`FAILED: ${what}`);
}

// Opens a page and watches it; `faults` gathers what must not happen.
async function open(path, { width = 1280, dark = false, script = true, still = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: still ? 'reduce' : 'no-preference',
    javaScriptEnabled: script,
  });
  const page = await context.newPage();
  const faults = [];
  const address = pathToFileURL(path.split('#')[0]).href;
  page.on('console', (it) => faults.push(`console ${it.type()}: ${it.text()}`));
  page.on('pageerror', (it) => faults.push(`error: ${it.message}`));
  page.on('dialog', (it) => { faults.push(`dialog: ${it.message()}`); it.dismiss(); });
  page.on('request', (it) => { if (it.url().split('#')[0] !== address) faults.push(`request: ${it.url()}`); });
  await page.goto(address + (path.includes('#') ? '#' + path.split('#')[1] : ''));
  return { page, faults, close: () => context.close() };
}

function htmlFiles(root) {
  return readdirSync(root, { recursive: true }).filter((it) => it.endsWith('.html')).sort();
}

async function everyPage(root, label) {
  for (const name of htmlFiles(root)) {
    for (const [width, dark] of [[1280, false], [390, true], [390, false], [1280, true]]) {
      const where = `${label}${name}, ${width} px, ${dark ? 'dark' : 'light'}`;
      const { page, faults, close } = await open(join(root, name), { width, dark });
      check(faults.length === 0, `${where}: ${faults.join('; ')}`);
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
      check(wide <= 0, `${where}: scrolls sideways by ${wide} px`);
      if ((width === 390) === dark) {
        await page.evaluate(axe);
        const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
        for (const it of found.violations) {
          check(false, `${where}: axe ${it.id} (${it.impact}): ${it.help}: ${it.nodes[0].html.slice(0, 200)}`);
        }
        check(found.passes.length > 0, `${where}: axe looked at nothing`);
      }
      if (shots) await page.screenshot({ path: join(shots, `${label}${name.replaceAll('/', '_')}-${width}-${dark ? 'dark' : 'light'}.png`), fullPage: true });
      await close();
    }
  }
}

async function links(root) {
  const files = new Set(readdirSync(root, { recursive: true }));
  for (const name of htmlFiles(root)) {
    const { page, close } = await open(join(root, name));
    const hrefs = await page.$$eval('a[href]', (all) => all.map((it) => [it.getAttribute('href'), it.href]));
    for (const [written, href] of hrefs) {
      const path = decodeURIComponent(new URL(href).pathname).slice(root.length + 1);
      check(href.startsWith('file:') && files.has(path), `${name}: a link leads nowhere: ${written}`);
    }
    const anchors = await page.$$eval('a[href^="#"]', (all) => all.map((it) => it.getAttribute('href')).filter((it) => !document.getElementById(it.slice(1))));
    check(anchors.length === 0, `${name}: no place for ${anchors}`);
    await close();
  }
}

const clock = (page) => page.textContent('#clock').then(parseFloat);

async function replay(path) {
  let { page, faults, close } = await open(path);
  const end = await clock(page);
  await page.waitForTimeout(400);
  check((await clock(page)) === end, 'the replay starts by itself');
  await page.click('#play');
  await page.waitForTimeout(500);
  const early = await clock(page);
  check(early > 0 && early < end, `play does not play: ${early} of ${end}`);
  check((await page.textContent('#play')) === 'Pause', 'a playing replay cannot be paused');
  await page.click('#play');
  const paused = await clock(page);
  await page.waitForTimeout(300);
  check((await clock(page)) === paused, 'pause does not pause');
  await page.click('#next');
  const next = await clock(page);
  check(next > paused, 'the next event is not later');
  await page.click('#prev');
  check((await clock(page)) < next, 'the previous event is not earlier');
  await page.selectOption('#speed', '100');
  await page.focus('#scrub');
  await page.keyboard.press('Home');
  check((await clock(page)) === 0, 'Home does not go to the start');
  const hidden = await page.$$eval('[data-t]', (all) => all.filter((it) => +it.dataset.t > 0 && it.getAttribute('visibility') !== 'hidden').length);
  check(hidden === 0, `${hidden} marks of the future are shown at the start`);
  const spoilt = await page.$$eval('.lane:not(.axis) .lfin', (all) => all.map((it) => it.textContent.trim()).join(''));
  check(spoilt === '', `the start shows how it ends: ${spoilt}`);
  await page.keyboard.press('ArrowRight');
  check((await clock(page)) > 0, 'an arrow key does not seek');
  await page.keyboard.press('End');
  check((await clock(page)) === end, 'End does not go to the end');
  check(faults.length === 0, `replay: ${faults.join('; ')}`);
  await close();

  ({ page, close } = await open(path + '#t=30'));
  check((await clock(page)) === 30, 'the address does not open at its second');
  await page.evaluate(() => { location.hash = '#t=60.5'; });
  await page.waitForTimeout(100);
  check((await clock(page)) === 60.5, 'a changed address does not seek');
  await page.evaluate(() => { location.hash = '#t=1e9'; });
  check((await clock(page)) === 60.5, 'an odd address seeks');
  await close();

  ({ page, close } = await open(path, { still: true }));
  await page.click('#play');
  await page.waitForTimeout(200);
  const first = await clock(page);
  await page.waitForTimeout(200);
  check((await clock(page)) === first && first > 0, 'with reduced motion the replay does not step');
  await close();

  ({ page, close } = await open(path, { script: false }));
  check(!(await page.isVisible('.player')), 'without scripts the controls stand there');
  check(await page.isVisible('.lane .p-think'), 'without scripts the chart is gone');
  await close();
}

// Every number of the charts stands in a table.
async function numbers(path) {
  const { page, close } = await open(path);
  const missing = await page.evaluate(() => {
    const tables = new Set([...document.querySelectorAll('table')].flatMap((it) => it.innerText.match(/\d+(\.\d+)?/g) ?? []));
    const drawn = [...document.querySelectorAll('.t-in, .t-loop.mini, .lfin b, .gap svg .gt.on, .gap svg .gt, .gap circle title')];
    const figures = drawn.flatMap((it) => (it.textContent.match(/\d+\.\d+/g) ?? []).filter((figure) => !/[A-Za-z]-?\d/.test(it.textContent) || figure.length > 3));
    return [...new Set(figures)].filter((it) => !tables.has(it));
  });
  check(missing.length === 0, `${path}: numbers of the charts that no table has: ${missing}`);
  await close();
}

async function keyboard(path) {
  const { page, close } = await open(path);
  const wanted = await page.$$eval('a[href], button, input, select, [tabindex="0"], summary', (all) => all.filter((it) => it.checkVisibility()).length);
  const seen = new Set();
  let bare = 0;
  for (let presses = 0; presses < wanted + 20; presses += 1) {
    await page.keyboard.press('Tab');
    const here = await page.evaluate(() => {
      const it = document.activeElement;
      if (!it || it === document.body) return null;
      window.ids ??= new Map();
      if (!window.ids.has(it)) window.ids.set(it, window.ids.size);
      return [window.ids.get(it), getComputedStyle(it).outlineStyle !== 'none'];
    });
    if (!here) break;
    seen.add(here[0]);
    if (!here[1]) bare += 1;
  }
  check(seen.size >= wanted, `${path}: the keyboard reaches ${seen.size} of ${wanted}`);
  check(bare === 0, `${path}: ${bare} places show no focus`);
  await page.focus('#theme');
  await page.keyboard.press('Enter');
  check((await page.getAttribute('html', 'data-theme')) === 'dark', 'the theme does not switch by keyboard');
  await close();
}

async function hostile(root) {
  for (const name of htmlFiles(root)) {
    const { page, faults, close } = await open(join(root, name));
    await page.waitForTimeout(50);
    check(faults.length === 0, `hostile ${name}: ${faults.join('; ')}`);
    const found = await page.evaluate(() => ({
      pwned: window.pwned,
      scripts: document.scripts.length,
      foreign: document.querySelectorAll('iframe, img, object, embed, [onerror], [onload], a[href^="javascript"]').length,
      data: document.getElementById('data') !== null,
    }));
    check(found.pwned === undefined, `hostile ${name}: a script ran (${found.pwned})`);
    check(found.scripts === (found.data ? 2 : 1), `hostile ${name}: ${found.scripts} scripts`);
    check(found.foreign === 0, `hostile ${name}: ${found.foreign} foreign elements`);
    const text = readFileSync(join(root, name), 'utf8');
    check(!/[\u202a-\u202e\u2066-\u2069\u001b\u0007]/.test(text), `hostile ${name}: characters that act`);
    await close();
  }
  const answers = await open(join(root, 'races', hostileId, 'answers.html'));
  const shown = await answers.page.textContent('main');
  check(shown.includes(ATTACKS[0]), 'hostile text is not shown as text');
  await answers.close();
}

const race = join(site, 'races', '21-pacer-club-attempt1', 'index.html');
await everyPage(site, '');
await links(site);
await replay(race);
for (const name of htmlFiles(site).filter((it) => /^races\/[^/]+\/index\.html$/.test(it))) await numbers(join(site, name));
for (const name of ['index.html', 'seasons/21/index.html', 'races/21-pacer-club-attempt1/index.html', 'races/21-pacer-club-attempt1/answers.html']) await keyboard(join(site, name));
await everyPage(hostileSite, 'hostile-');
await hostile(hostileSite);
await browser.close();
rmSync(folder, { recursive: true });
console.log(`${checks} checks, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
