// What the tests share: the program under test, one browser for all of them, and pages that are watched while they are open.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const program = process.env.RINGSIM;
assert.ok(program, 'RINGSIM names the program under test');

export const folder = mkdtempSync(join(tmpdir(), 'ringsim-browser-'));

/** Writes a file of this test run; returns its path. */
export function file(name, text) {
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

/** Runs ringsim: {status, stdout, stderr}. */
export function ringsim(...words) {
  const run = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (run.error) throw run.error;
  return run;
}

/** The same where nothing may go wrong: what it printed. */
export function print(...words) {
  const run = ringsim(...words);
  assert.equal(run.status, 0, `ringsim ${words.join(' ')}: ${run.stderr}`);
  return run.stdout;
}

export const text = (path) => readFileSync(path, 'utf8');

let browser;
/** The browser, started with the first page. Nothing that it does by itself may reach for a network. */
async function theBrowser() {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
  return browser;
}

export async function end() {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Opens a file as a user does, with the network cut. `page.wrongs` fills with what must not happen: a message of the console, an error,
 * a dialog, a request for anything but the page itself.
 */
export async function open(path, { width = 1280, scheme = 'light' } = {}) {
  const context = await (await theBrowser()).newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  await context.setOffline(true);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);  // machines are busy at times; what has to be fast is measured
  const address = pathToFileURL(path).href;
  page.wrongs = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) page.wrongs.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => page.wrongs.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    page.wrongs.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url().split('#')[0];
    if (url !== address && !/^(data|blob):/.test(url)) page.wrongs.push(`request: ${url}`);
  });
  await page.goto(address);
  return page;
}

/** Opens a page, looks at it by `look`, and checks that nothing went wrong meanwhile. */
export async function visit(path, options, look) {
  const page = await open(path, options);
  try {
    await look(page);
    assert.deepEqual(page.wrongs, []);
  } finally {
    await page.context().close();
  }
}

/** Keeps a picture where a folder for them is named. */
export async function picture(page, name) {
  const to = process.env.RINGSIM_SCREENSHOTS;
  if (!to) return;
  mkdirSync(to, { recursive: true });
  await page.screenshot({ path: join(to, `${name}.png`), fullPage: true });
}
