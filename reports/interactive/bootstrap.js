// Draws the charts of a report with Vega-Embed, from the specifications that stand in the page as JSON. Nothing is fetched: the loader
// refuses every address. Colours are CSS variables by name, so a chart is drawn anew when the page's theme changes.
(() => {
  'use strict';

  const dark = matchMedia('(prefers-color-scheme: dark)');
  const still = matchMedia('(prefers-reduced-motion: reduce)');

  // What of a specification may be a colour; names of users stand elsewhere (data, domains, titles).
  const colourKeys = new Set(['color', 'fill', 'stroke', 'range', 'value']);

  function withColours(spec, css) {
    const look = (name) => (/^chart-[a-z0-9-]+$/.test(name) && css.getPropertyValue(`--${name}`).trim()) || name;
    const walk = (node, colour) => {
      if (typeof node === 'string') return colour ? look(node) : node;
      if (Array.isArray(node)) return node.map((item) => walk(item, colour));
      if (node === null || typeof node !== 'object') return node;
      const copy = {};
      for (const [key, value] of Object.entries(node)) {
        copy[key] = key === 'data' || key === 'domain' ? value : walk(value, colourKeys.has(key));
      }
      return copy;
    };
    return walk(spec, false);
  }

  // The look of what is no mark: as the page around it.
  function theme(css, around) {
    const of = (name, otherwise) => css.getPropertyValue(`--chart-${name}`).trim() || otherwise;
    const ink = of('ink', around.color);
    const quiet = of('quiet', ink);
    const axis = {
      labelColor: quiet, titleColor: ink, gridColor: of('grid', quiet), tickColor: of('frame', quiet),
      domainColor: of('frame', quiet), titleFontWeight: 'normal', labelFontSize: 11, titleFontSize: 12, labelLimit: 160,
    };
    return {
      background: 'transparent',
      font: around.fontFamily,
      axis,
      legend: { labelColor: ink, titleColor: ink, labelFontSize: 12, labelLimit: 200, symbolStrokeWidth: 2 },
      title: { color: ink, subtitleColor: quiet, fontSize: 15, subtitleFontSize: 12, anchor: 'start', offset: 12 },
      view: { stroke: of('grid', quiet) },
    };
  }

  const refuse = (address) => Promise.reject(new Error(`this page fetches nothing, not ${address}`));
  const loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

  // The keyboard does what the pointer does to a chart with a `window` on its x axis.
  const moves = {
    ArrowLeft: ([a, b]) => [a - (b - a) / 4, b - (b - a) / 4],
    ArrowRight: ([a, b]) => [a + (b - a) / 4, b + (b - a) / 4],
    '+': ([a, b]) => [a + (b - a) / 4, b - (b - a) / 4],
    '=': ([a, b]) => [a + (b - a) / 4, b - (b - a) / 4],
    '-': ([a, b]) => [a - (b - a) / 2, b + (b - a) / 2],
    0: () => null,
    Escape: () => null,
  };

  function addKeys(target, figure) {
    const hint = document.createElement('p');
    hint.className = 'vega-hint';
    hint.id = `${target.id}-hint`;
    hint.textContent = 'Drag to move along the time, Ctrl and the wheel to zoom, double click for all. With the keyboard: arrows, + and −, 0 for all.';
    target.after(hint);
    target.tabIndex = 0;
    target.setAttribute('role', 'group');
    target.setAttribute('aria-describedby', hint.id);
    target.addEventListener('keydown', (event) => {
      const move = moves[event.key];
      if (!move || !figure.view || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      figure.view.signal('window_start', move(figure.view.scale('x').domain())).runAsync();
    });
  }

  // Out of reach of the page's style sheet, which speaks of its own drawings.
  function shelter(target) {
    const root = target.shadowRoot || target.attachShadow({ mode: 'open' });
    const style = document.createElement('style');
    style.textContent = '.vega-embed{display:block;width:100%;padding:0!important}.vega-embed summary{opacity:1}svg,canvas{display:block}';
    const place = document.createElement('div');
    root.append(style, place);
    return place;
  }

  async function draw(figure) {
    const { target, spec, renderer } = figure;
    const css = getComputedStyle(document.documentElement);
    const coloured = withColours(spec, css);
    // The page has said the title already, but not what may stand below it.
    if (figure.titled) {
      const below = coloured.title.subtitle;
      if (below) coloured.title = { text: below, fontSize: 12, fontWeight: 'normal', color: css.getPropertyValue('--chart-quiet').trim() };
      else delete coloured.title;
    }
    figure.place ??= shelter(target);
    const result = await vegaEmbed(figure.place, coloured, {
      renderer, loader, config: theme(css, getComputedStyle(target)), tooltip: { theme: dark.matches ? 'dark' : 'light' },
      actions: { export: true, source: false, compiled: false, editor: false }, hover: !still.matches, defaultStyle: true,
      downloadFileName: target.id.replace(/-view$/, ''), logLevel: vega.Warn,
    });
    if (figure.view) figure.view.finalize();
    figure.view = result.view;
    target.setAttribute('aria-label', spec.description);
    target.parentElement.classList.add('interactive-drawn');
    target.dataset.drawn = dark.matches ? 'dark' : 'light';
  }

  async function start() {
    const figures = [...document.querySelectorAll('script.vega-lite')].map((element) => {
      const target = document.getElementById(element.dataset.view);
      return {
        target, spec: JSON.parse(element.textContent), renderer: element.dataset.renderer,
        titled: Boolean(target.parentElement.querySelector('figcaption')),
      };
    });
    for (const figure of figures) {
      if ((figure.spec.params || []).some((param) => param.name === 'window')) addKeys(figure.target, figure);
    }
    let running = Promise.resolve();
    const drawAll = () => {
      running = running.then(async () => {
        for (const figure of figures) {
          try {
            await draw(figure);
          } catch (error) {
            // The static drawing stays.
            console.error(figure.target.id, error);
          }
        }
      });
      return running;
    };
    dark.addEventListener('change', drawAll);
    await drawAll();
    document.documentElement.dataset.interactive = 'drawn';
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
})();
