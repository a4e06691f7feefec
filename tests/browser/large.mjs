// Large pages open fast and stay small.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { file, print, visit } from './support.mjs';
import { given } from './scenarios.mjs';

const megabyte = 1e6;

/** Seconds from the start of the navigation until the page has been read and painted. */
const opened = (page) => page.evaluate(() => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() / 1000), 0));
}));

test('a timeline of 100,000 spans opens in under three seconds', async () => {
  const made = spawnSync(process.env.RINGSIM_TIMELINE_PAGE, ['100000'], { encoding: 'utf8', maxBuffer: 1 << 30 });
  assert.equal(made.status, 0, made.stderr);
  const path = file('timeline.html', made.stdout);
  // Blank pages first: what is measured is the page, not the start of the browser.
  await visit(file('blank.html', '<!DOCTYPE html><title>blank</title>'), {}, opened);
  // The fastest of a few: a busy machine makes any single one slow.
  let fastest = Infinity;
  for (let attempt = 0; attempt < 5 && fastest >= 3; attempt++) {
    await visit(path, {}, async (page) => {
      fastest = Math.min(fastest, await opened(page));
      assert.ok(await page.locator('figure.chart .wide .mark').count() > 0);
    });
  }
  assert.ok(fastest < 3, `${fastest} s`);
});

test('a report of a ring of 4,096 ranks stays below 5 MB', async () => {
  const path = file('ring-4096.html');
  const json = JSON.parse(print('run', given(), '--set', 'model.layers=1', '--set', 'cluster.nodes=512', '--set', 'parallel.ring=4096', '--set', 'workload.tokens=4Mi',
    '--format', 'json', '--report', path));
  assert.equal(json.ring.size, 4096);
  const { size } = statSync(path);
  assert.ok(size < 5 * megabyte, `${size} bytes`);
  await visit(path, {}, async (page) => {
    assert.ok(await page.locator('figure.chart .wide .mark').count() > 0);
  });
});
