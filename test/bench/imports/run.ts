// `npm run count-imports -- <folder>...`: plans the import of folders, and prints what of their Markdown arrives.
import { parseArgs } from "node:util";
import { readFolder } from "#src/cli/importing/import-source.ts";
import type { NewPage } from "#src/features/content/model/page.ts";
import { readFrontMatter } from "#src/features/imports/model/front-matter.ts";
import { isMarkdown, readText } from "#src/features/imports/model/files.ts";
import { markdownReader } from "#src/features/imports/model/markdown-reader.ts";
import { newPages, pageIdsFor } from "#src/features/imports/model/new-pages.ts";
import { planImport } from "#src/features/imports/model/plan.ts";
import { brokenLinksOf, type Texts } from "#test/bench/imports/broken-links.ts";
import { elements, elementsIn } from "#test/bench/imports/elements.ts";

const usage = `Usage: npm run count-imports -- [--warnings] [--plan] <folder>...

Plans an import of each folder without a database, and prints, for each kind of element, its number in the Markdown files
and in the imported pages, and the links that lead nowhere.

  --warnings   also prints the warnings, and the broken links
  --plan       only plans, and prints the time and the memory that it takes
`;

type Flags = { readonly warnings: boolean; readonly plan: boolean };

async function sourcesIn(folder: string): Promise<string[]> {
  const files = await readFolder(folder);
  const texts: string[] = [];
  for (const path of files.paths) {
    const file = isMarkdown(path) ? files.get(path) : undefined;
    const text = file && (await readText(files, file));
    if (text) texts.push(text.slice(readFrontMatter(text).end));
  }
  return texts;
}

const withBelow = (page: NewPage): NewPage[] => [page, ...(page.pages ?? []).flatMap(withBelow)];

async function importOf(folder: string): Promise<{ texts: Texts; warnings: readonly string[] }> {
  const files = await readFolder(folder);
  const plan = await planImport({ files }, markdownReader);
  const fileIds = new Map(plan.files.map(({ path }) => [path, `file_${path}`]));
  const ids = pageIdsFor(plan.pages, []);
  const made = newPages(plan.pages, { pageIds: ids, fileIds }).flatMap(withBelow);
  const warnings = files.warnings.first.map(({ path, line, message }) => `${path}:${line ?? ""} ${message}`);
  return { texts: new Map(made.map(({ pageId = "", text = "" }) => [pageId, text])), warnings };
}

async function measurePlan(folder: string): Promise<void> {
  const files = await readFolder(folder);
  const { user, system } = process.cpuUsage();
  const plan = await planImport({ files }, markdownReader);
  const used = process.cpuUsage();
  const seconds = (used.user + used.system - user - system) / 1e6;
  const { maxRSS } = process.resourceUsage();
  process.stdout.write(
    `${folder}: ${plan.all.length} pages, ${seconds.toFixed(1)} s of CPU, peak of ${Math.round(maxRSS / 1024)} MB\n`,
  );
}

async function countImport(folder: string, { warnings: isLoud }: Flags): Promise<void> {
  const sources = await sourcesIn(folder);
  const { texts, warnings } = await importOf(folder);
  const [before, after] = [elementsIn(sources), elementsIn(texts.values())];
  const broken = await brokenLinksOf(texts);
  const pages = [...texts.values()].filter((text) => text !== "").length;
  const counts = elements.map((kind) => `${before[kind]}/${after[kind]}`);
  const row = [folder, `${sources.length}/${pages}`, ...counts, broken.anchors.length, broken.paths.length];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
  if (isLoud) process.stderr.write(`${[...warnings, ...broken.anchors, ...broken.paths].join("\n")}\n`);
}

const { values, positionals } = parseArgs({
  options: { warnings: { type: "boolean", default: false }, plan: { type: "boolean", default: false } },
  allowPositionals: true,
});
if (positionals.length === 0) process.stdout.write(usage);
else if (!values.plan) {
  const columns = ["set", "pages", ...elements, "broken anchors", "broken paths"];
  process.stdout.write(`| ${columns.join(" | ")} |\n|${columns.map(() => " --- |").join("")}\n`);
}
for (const folder of positionals) await (values.plan ? measurePlan(folder) : countImport(folder, values));
