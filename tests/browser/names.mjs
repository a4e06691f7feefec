// Names come from users' files. Whatever is in them shows as it is, and does nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { file, print, visit } from './support.mjs';

const name = `<script>alert(1)</script>"'&🚀`;
const quoted = (words) => `'${words.replaceAll("'", "''")}'`;
const tricky = `
name: ${quoted(name)}
model: {layers: 4, hidden: 2048, heads: 16, kv_heads: 16, head_dim: 128}
workload: {tokens: 64Ki, causal: false}
cluster:
  gpu: {name: ${quoted('</title><img src=x onerror=alert(2)>')}, bf16: 100 TFLOP/s, memory: 80 GB, memory_bandwidth: 2000 GB/s}
  nodes: 2
  gpus_per_node: 2
  nics_per_node: 1
  intra_node: {class: ${quoted('"><svg onload=alert(3)>')}, bandwidth: 100 GB/s}
  inter_node: {class: ${quoted("</script><script>alert(4)</script>")}, bandwidth: 10 GB/s}
parallel: {ring: 4}
profile: datasheet
`;

// A sweep is called after its file, whose name may hold anything but a slash.
const stem = `<img src=x onerror=alert(5)>"'&🚀`;

for (const [command, title, ...more] of [['run', name], ['size', name], ['sweep', stem, '--set', 'parallel.ring=2,4']]) {
  test(`${command}: a name full of markup is inert, and right`, async () => {
    const path = file(`names-${command}.html`);
    print(command, file(`${stem}.yaml`, tricky), ...more, '--report', path);
    await visit(path, {}, async (page) => {
      assert.ok((await page.title()).includes(title), 'in the title');
      assert.equal(await page.locator('h1').textContent(), title);
      // The result as JSON is the one script element; nothing on the page answers to events or fetches.
      assert.deepEqual(await page.locator('script').evaluateAll((all) => all.map((script) => script.type)), ['application/json']);
      assert.equal(await page.locator('img, iframe, object, embed, link').count(), 0);
      const handlers = await page.evaluate(() => [...document.querySelectorAll('*')]
        .flatMap((element) => [...element.attributes]).filter((attribute) => attribute.name.startsWith('on')).length);
      assert.equal(handlers, 0);
    });
  });
}
