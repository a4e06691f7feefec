// Every page, whatever it is about: what must hold for a report that people open, read, print and hear.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { commands, measurement, resultOf } from './scenarios.mjs';
import { picture, text, visit } from './support.mjs';
import { agrees, at } from './values.mjs';

const axe = text(createRequire(import.meta.url).resolve('axe-core/axe.min.js'));
const kinds = ['run', 'model', 'training', 'size', 'sweep', 'suite', ...(measurement() ? ['measured'] : [])];
// Runs under either scope and of any phase have the same page but for their charts.
const looks = kinds.filter((kind) => !['model', 'training'].includes(kind));

for (const kind of kinds) {
  test(`${kind}: charts are drawn, described and have their values in a table`, async () => {
    await visit(commands[kind]().path, {}, async (page) => {
      const figures = await page.locator('figure.chart').evaluateAll((all) => all.map((figure) => ({
        id: figure.id,
        drawings: [...figure.querySelectorAll('.wide > svg, .narrow > svg')].map((svg) => ({
          shown: svg.getBoundingClientRect().width > 0,
          marks: svg.querySelectorAll('.mark').length,
          named: (svg.getAttribute('aria-labelledby') || '').split(' ').map((id) => document.getElementById(id)?.textContent),
          outside: [...svg.querySelectorAll('text')].filter((words) => {
            const of = svg.getBoundingClientRect(), box = words.getBoundingClientRect();
            return of.width > 0 && box.width > 0 && (box.left < of.left - 1 || box.right > of.right + 1 || box.top < of.top - 1 || box.bottom > of.bottom + 1);
          }).map((words) => words.textContent),
        })),
        rows: figure.querySelectorAll('details table tbody tr').length,
      })));
      assert.ok(figures.length > 0, 'a chart at least');
      for (const { id, drawings, rows } of figures) {
        assert.equal(drawings.length, 2, `${id}: one drawing for wide pages, one for narrow ones`);
        assert.equal(drawings.filter((drawing) => drawing.shown).length, 1, `${id}: one of them is shown`);
        for (const drawing of drawings) {
          assert.ok(drawing.marks > 0, `${id}: marks`);
          assert.deepEqual(drawing.outside, [], `${id}: text that is cut off`);
          assert.equal(drawing.named.length, 2, `${id}: title and description`);
          assert.ok(drawing.named.every((words) => words?.trim()), `${id}: title and description are not empty`);
        }
        assert.ok(rows > 0, `${id}: a table of values`);
      }
    });
  });

  test(`${kind}: what is said is what was computed`, async () => {
    const { path, json } = commands[kind]();
    await visit(path, {}, async (page) => {
      assert.deepEqual(await resultOf(page), json, 'the page holds the very result that was printed');
      const said = await page.locator('data').evaluateAll((all) => all.map((data) => [data.dataset.key, data.getAttribute('value'), data.textContent]));
      for (const [key, value, words] of said) {
        if (key !== undefined) assert.equal(Number(value), at(json, key), key);
        // In a table a remark may follow: "723.2 ms, 16 GPUs", "199.5 ms (chosen)".
        agrees(key === undefined ? words.split(/, | \(/)[0] : words, Number(value), key ?? 'a table');
      }
      assert.ok(said.length > 10, 'values of charts');
    });
  });

}

for (const kind of looks) {
  test(`${kind}: is read on any screen`, async () => {
    for (const scheme of ['light', 'dark']) {
      await visit(commands[kind]().path, { scheme }, async (page) => {
        for (const width of [1280, 768, 360]) {
          await page.setViewportSize({ width, height: 900 });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${wide} pixels on a screen of ${width}`);
          await picture(page, `${kind}-${scheme}-${width}`);
        }
        // What is behind folds counts, too.
        await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 360, `unfolded: ${wide} pixels on a screen of 360`);
        await page.setViewportSize({ width: 1280, height: 900 });
        // Rows after the third and marks are as those before them: leaving them out makes the check ten times faster.
        await page.evaluate(() => document.querySelectorAll('tbody tr:nth-child(n+4), svg .mark').forEach((alike) => alike.remove()));
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => axe.run(document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'], resultTypes: ['violations'],
        }));
        assert.deepEqual(violations.map((rule) => [rule.id, rule.nodes.slice(0, 3).map((node) => node.failureSummary + node.html.slice(0, 200))]), [], scheme);
      });
    }
  });

  test(`${kind}: its outline, and its way by keyboard`, async () => {
    await visit(commands[kind]().path, {}, async (page) => {
      const levels = await page.locator('h1, h2, h3, h4, h5, h6').evaluateAll((all) => all.map((heading) => Number(heading.tagName[1])));
      assert.equal(levels.filter((level) => level === 1).length, 1, 'one heading of the page');
      levels.reduce((before, level) => {
        assert.ok(level <= before + 1, `headings skip a level: ${levels}`);
        return level;
      }, 0);
      assert.equal(await page.locator('html').getAttribute('lang'), 'en');

      const operable = 'a[href], button, input, select, summary, [tabindex="0"]';
      const waiting = await page.locator(operable).evaluateAll((all) => all.filter((element) => element.checkVisibility()).map((element, i) => {
        element.dataset.stop = i;
        return i;
      }));
      const reached = new Set();
      for (let i = 0; i < waiting.length; i++) {
        await page.keyboard.press('Tab');
        reached.add(await page.evaluate(() => document.activeElement?.dataset.stop));
      }
      assert.deepEqual(waiting.filter((stop) => !reached.has(String(stop))), [], 'not reached by Tab');

      const fold = page.locator('figure.chart details').first();
      await fold.locator('summary').focus();
      await page.keyboard.press('Enter');
      assert.equal(await fold.evaluate((details) => details.open), true, 'Enter unfolds the table of values');
      await page.keyboard.press('Enter');
      assert.equal(await fold.evaluate((details) => details.open), false, 'and folds it again');
    });
  });

  test(`${kind}: in print`, async () => {
    await visit(commands[kind]().path, { scheme: 'dark' }, async (page) => {
      await page.emulateMedia({ media: 'print' });
      const [figures, drawings] = await page.evaluate(() => [document.querySelectorAll('figure.chart').length,
        [...document.querySelectorAll('figure.chart svg[role=img]')].filter((svg) => svg.getBoundingClientRect().width > 0).length]);
      assert.equal(drawings, figures, 'a drawing of each chart');
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(paper, 'rgb(255, 255, 255)', 'on white');
    });
  });
}
