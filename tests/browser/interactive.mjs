// --interactive: every chart becomes one that answers, and still nothing is fetched. A program without its node packages says so.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { commands, given } from './scenarios.mjs';
import { file, picture, ringsim, text, visit } from './support.mjs';

const built = process.env.RINGSIM_INTERACTIVE !== 'OFF';
const kinds = ['run', 'size', 'sweep', 'suite'];
const drawn = (page) => page.waitForFunction(() => document.documentElement.dataset.interactive === 'drawn');

/** Of each figure: what was drawn, and whether the static drawing is still shown. */
const figuresOf = (page) => page.locator('figure.chart').evaluateAll((all) => all.map((figure) => {
  const view = figure.querySelector('.vega-view');
  const root = view?.shadowRoot;
  const canvas = root?.querySelector('canvas.marks');
  return {
    id: figure.id,
    theme: view?.dataset.drawn,
    // Groups of marks without axes, legends and titles.
    marks: root?.querySelectorAll('svg.marks .role-mark > *').length ?? 0,
    painted: canvas ? canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte !== 0) : false,
    labelled: Boolean(view?.getAttribute('aria-label')),
    width: view?.getBoundingClientRect().width,
    fits: root ? [...root.querySelectorAll('svg.marks, canvas.marks')].every((drawing) => drawing.getBoundingClientRect().width <= view.getBoundingClientRect().width + 1) : false,
    statics: [...figure.querySelectorAll('.wide, .narrow')].filter((drawing) => drawing.checkVisibility()).length,
  };
}));

test('without node packages --interactive ends with status 5 and says what is missing', { skip: built && 'built with them' }, () => {
  const path = file('missing.html');
  const run = ringsim('run', given(), '--report', path, '--interactive');
  assert.equal(run.status, 5);
  assert.match(run.stderr, /interactive charts .*\.\/dev setup/s);
  assert.equal(existsSync(path), false, 'nothing is written');
});

for (const kind of kinds) {
  test(`${kind} --interactive: every chart is drawn anew, in the theme of the page`, { skip: !built && 'built without node packages' }, async () => {
    await visit(commands[kind]('--interactive').path, {}, async (page) => {
      await drawn(page);
      const figures = await figuresOf(page);
      assert.ok(figures.length > 0);
      for (const figure of figures) {
        assert.ok(figure.marks > 0 || figure.painted, `${figure.id}: marks`);
        assert.ok(figure.labelled, `${figure.id}: a description`);
        assert.equal(figure.statics, 0, `${figure.id}: the static drawing is hidden`);
        assert.equal(figure.theme, 'light');
        assert.ok(figure.fits, `${figure.id}: within its place`);
      }
      await picture(page, `${kind}-interactive-light-1280`);

      await page.emulateMedia({ colorScheme: 'dark' });
      await page.waitForFunction(() => [...document.querySelectorAll('.vega-view')].every((view) => view.dataset.drawn === 'dark'));
      await picture(page, `${kind}-interactive-dark-1280`);

      await page.setViewportSize({ width: 360, height: 900 });
      await page.waitForFunction(() => [...document.querySelectorAll('.vega-view')].every((view) =>
        [...view.shadowRoot.querySelectorAll('svg.marks, canvas.marks')].every((drawing) => drawing.getBoundingClientRect().width <= view.getBoundingClientRect().width + 1)));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360, 'no scrolling sideways');
      await picture(page, `${kind}-interactive-dark-360`);

      await page.emulateMedia({ media: 'print' });
      const printed = await figuresOf(page);
      for (const figure of printed) {
        assert.equal(figure.statics, 1, `${figure.id}: the static drawing is printed`);
        assert.equal(figure.width, 0, `${figure.id}: and the other is not`);
      }
    });
  });

  test(`${kind} --interactive: specifications compile without a warning`, { skip: !built && 'built without node packages' }, () => {
    const html = text(commands[kind]('--interactive').path);
    const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1]);
    const context = vm.createContext({ console, structuredClone, setTimeout, clearTimeout });
    // The bundles of the page itself: vega and vega-lite come second and third, after the notices.
    for (const source of scripts.slice(0, 3)) vm.runInContext(source, context);
    const specs = [...html.matchAll(/<script type="application\/json" class="vega-lite"[^>]*>([\s\S]*?)<\/script>/g)].map((match) => JSON.parse(match[1]));
    assert.ok(specs.length > 0);
    for (const spec of specs) {
      const said = [];
      const say = (...words) => { said.push(words.join(' ')); return logger; };
      const logger = { level() { return logger; }, error: say, warn: say, info: () => logger, debug: () => logger };
      context.vegaLite.compile(spec, { logger });
      assert.deepEqual(said, [], JSON.stringify(spec.title));
    }
  });
}

test('a timeline is zoomed and moved by keyboard', { skip: !built && 'built without node packages' }, async () => {
  await visit(commands.run('--interactive').path, {}, async (page) => {
    await drawn(page);
    const view = page.locator('.vega-view[tabindex="0"]').first();
    // Labels of the time, whose elements come in no order.
    const times = (element) => [...element.shadowRoot.querySelectorAll('.role-axis-label text')].map((label) => label.textContent)
      .filter((label) => /^[\d.,]+$/.test(label)).sort().join(' ');
    const press = async (key, before) => {
      await page.keyboard.press(key);
      await page.waitForFunction(([of, element, labels]) => (0, eval)(of)(element) !== labels, [String(times), await view.elementHandle(), before]);
      return view.evaluate(times);
    };
    const whole = await view.evaluate(times);
    await view.focus();
    const near = await press('+', whole);
    const later = await press('ArrowRight', near);
    assert.equal(await press('0', later), whole, 'all of it again');
  });
});

test('an interactive timeline of 100,000 spans is drawn', { skip: !built && 'built without node packages' }, async () => {
  const made = spawnSync(process.env.RINGSIM_TIMELINE_PAGE, ['100000', '--interactive'], { encoding: 'utf8', maxBuffer: 1 << 30 });
  assert.equal(made.status, 0, made.stderr);
  await visit(file('timeline-interactive.html', made.stdout), {}, async (page) => {
    await drawn(page);
    const [figure] = await figuresOf(page);
    assert.ok(figure.painted);
  });
});
