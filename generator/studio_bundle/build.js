// Bundles the editor into platelayer/studio/static/editor, with the licences of all that is in it.

import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const out = new URL("../platelayer/studio/static/editor/", import.meta.url).pathname;
const made = await build({
  entryPoints: ["editor.js"], outfile: `${out}codemirror.js`, bundle: true, format: "esm", minify: true,
  target: "es2022", legalComments: "none", metafile: true,
});
const packages = new Set();
for (const input of Object.keys(made.metafile.inputs)) {
  const found = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (found) packages.add(found[1]);
}
const texts = [...packages].sort().map((name) => {
  const about = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  const file = readdirSync(`node_modules/${name}`).find((each) => /^licen[cs]e/i.test(each));
  return `${name} ${about.version} (${about.license})\n\n${readFileSync(`node_modules/${name}/${file}`, "utf8").trim()}\n`;
});
writeFileSync(`${out}LICENSES.txt`, texts.join(`\n${"-".repeat(80)}\n\n`));
