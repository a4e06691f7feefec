// Numbers as people read them, back to what they stand for.
import assert from 'node:assert/strict';

const units = {
  '': 1, s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9, min: 60, h: 3600,
  B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15,
  'B/s': 1, 'kB/s': 1e3, 'MB/s': 1e6, 'GB/s': 1e9, 'TB/s': 1e12,
  '%': 1e-2, 'tokens/s': 1, tokens: 1, J: 1, Wh: 3600, kWh: 3.6e6, MWh: 3.6e9, GWh: 3.6e12,
};

/** {value, place}: of "24.29 GB" 24.29e9 and what its last digit stands for, 0.01e9. */
export function parse(words) {
  const parts = /^([+±-]?)([<>]?)([\d,]+)(\.\d+)?(e[+-]?\d+)? ?([^\d\s].*)?$/.exec(words.trim());
  assert.ok(parts, `not a number: "${words}"`);
  const [, sign, bound, whole, fraction = '', exponent = '', unit = ''] = parts;
  assert.ok(unit in units, `unknown unit in "${words}"`);
  const scale = units[unit] * 10 ** Number(exponent.slice(1) || 0);
  const value = Number(whole.replaceAll(',', '') + fraction) * scale * (sign === '-' ? -1 : 1);
  return { value, bound, place: 10 ** -Math.max(0, fraction.length - 1) * scale };
}

/** That `words` are `value`, rounded: to four digits, or to the last one shown. */
export function agrees(words, value, where) {
  const said = parse(words);
  const say = `${where}: "${words}" for ${value}`;
  if (said.bound === '<') assert.ok(Math.abs(value) <= said.value, say);
  else if (said.bound === '>') assert.ok(value >= said.value, say);
  else assert.ok(Math.abs(said.value - value) <= Math.max(1e-3 * Math.abs(value), 0.5000001 * said.place), say);
}

/** The value at "memory.total_bytes" or "best.0.time_s". */
export function at(json, path) {
  return path.split('.').reduce((part, key) => part?.[key], json);
}
