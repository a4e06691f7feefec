// The pages under test: each command once, with the options that make it draw all it can.
import { file, print } from './support.mjs';

const scenario = `
name: sixteen-gpus
model: llama3-8b
workload: {phase: prefill, tokens: 128Ki, scope: attention}
cluster: {use: dgx-h100, nodes: 2}
parallel: {ring: 16}
price: {gpu_hour: 2.50}
`;

const made = new Map();
function once(name, make) {
  if (!made.has(name)) made.set(name, make());
  return made.get(name);
}

/** {path, json}: the page of a command and the result that it printed with it. */
function report(name, words, more = []) {
  return once([name, ...more].join(' '), () => {
    const path = file(`${name}${more.join('')}.html`);
    const printed = print(...words, '--report', path, ...more);
    return { name, path, json: words[0] === 'sweep' ? printed.trim().split('\n').map((row) => JSON.parse(row)) : JSON.parse(printed) };
  });
}

export const given = () => once('scenario', () => file('scenario.yaml', scenario));

export const commands = {
  run: (...more) => report('run', ['run', given(), '--format', 'json'], more),
  model: (...more) => report('model', ['run', given(), '--set', 'workload.scope=model', '--set', 'parallel.tensor=2',
    '--set', 'parallel.ring=8', '--format', 'json'], more),
  size: (...more) => report('size', ['size', given(), '--set', 'workload.scope=model', '--format', 'json'], more),
  sweep: (...more) => report('sweep', ['sweep', given(), '--set', 'parallel.ring=2..16*2', '--set', 'workload.tokens=64Ki..256Ki*2',
    '--format', 'json'], more),
  suite: (...more) => report('suite', ['validate', '--suite', 'published', '--set-name', 'meta-t4', '--format', 'json'], more),
};

/** What the page itself holds as its result. */
export async function resultOf(page) {
  return JSON.parse(await page.locator('script#result').textContent());
}
