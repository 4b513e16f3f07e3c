// Real specifications from packages: the counts in their documents and pages equal the counts of a
// walk over their sources. The small size reads one of each version and format.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { newId } from "#src/base/ids.ts";
import { contentLimit } from "#src/features/content/model/draft.ts";
import type { NewPage } from "#src/features/content/model/page.ts";
import { makeInThread } from "#src/features/openapi/commands/computed-pages.ts";
import type { SpecFile } from "#src/features/openapi/model/process.ts";
import { readSpec } from "#src/features/openapi/commands/read-source.ts";
import { sized } from "#test/support/runs.ts";

const largest = import.meta.resolve("@octokit/openapi-webhooks/generated/api.github.com.json");

const figma = import.meta.resolve("@figma/rest-api-spec/openapi/openapi.yaml");
const trains = new URL("3.1/yaml/train-travel.yaml", import.meta.resolve("@readme/oas-examples/package.json")).href;

/** From 400 kB to 4.8 MB. */
const largeSpecs = [largest, import.meta.resolve("@netlify/open-api/dist/swagger.json"), figma];
const furtherExamples = [
  "3.0/json/star-trek.json",
  "3.0/json/readme-legacy.json",
  "3.0/yaml/uspto.yaml",
  "3.0/json/discriminators.json",
  "3.1/json/readme.json",
];

/** OpenAPI 2.0, 3.0 and 3.1, as JSON and YAML: at the small size one of each. */
const specs = [
  ...sized([], [...largeSpecs, import.meta.resolve("@scalar/galaxy/3.1.yaml")]),
  ...[
    "2.0/json/petstore.json",
    "2.0/yaml/api-with-examples.yaml",
    "3.0/json/circular.json",
    "3.0/yaml/link-example.yaml",
    "3.1/yaml/train-travel.yaml",
    "3.1/json/webhooks.json",
    ...sized([], furtherExamples),
  ].map((path) => new URL(path, import.meta.resolve("@readme/oas-examples/package.json")).href),
].map((url) => fileURLToPath(url));

type Source = Record<string, Record<string, Record<string, unknown>> | undefined>;

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

const operationsIn = (items: Source[string] = {}) =>
  Object.values(items).flatMap((item) => Object.keys(item).filter((name) => methods.includes(name))).length;

/** The numbers of operations and models, by a walk over the source, independent of its processing. */
const counted = ({ paths = {}, definitions, components = {} }: Source) => ({
  pathCount: Object.keys(paths).length,
  operationCount: operationsIn(paths),
  modelCount: Object.keys(definitions ?? components["schemas"] ?? {}).length,
});

/** The pages that are computed from a document, each with its text. */
async function pagesOf(document: Uint8Array) {
  const computed = { type: "builtin:openapi", spec: "real" } as const;
  const room = { pages: contentLimit.pages, levels: contentLimit.levels };
  const page = { pageId: newId("Page"), computed, made: "real", room, source: null };
  const all = (pages: readonly NewPage[]): NewPage[] => pages.flatMap((one) => [one, ...all(one.pages ?? [])]);
  return all((await makeInThread({ ...page, json: document })).pages);
}

/** The number of these pages for operations (including webhooks and callbacks) and for models. */
function countsIn(pages: readonly NewPage[]) {
  const keys = pages.map(({ fields }) => fields?.computed?.doc ?? "");
  const count = (start: string) => keys.filter((key) => key.startsWith(start)).length;
  return { operations: count("operations/"), models: count("models/"), different: new Set(keys).size };
}

const fileOf = (name: string, bytes: Buffer): SpecFile => {
  const address = `archive:///${name}`;
  return { address, base: address, name, bytes };
};

async function madeOf(first: SpecFile, ...others: SpecFile[]) {
  const processed = await readSpec([first, ...others]);
  if (!("made" in processed)) throw new Error(JSON.stringify(processed));
  return { ...processed.made, parsed: JSON.parse(Buffer.from(processed.made.document).toString()) as Source };
}

test.each(specs)("all operations and models of %s are in its document and pages", async (path) => {
  const bytes = readFileSync(path);
  const isJson = path.endsWith(".json");
  const source = (isJson ? JSON.parse(bytes.toString()) : parse(bytes.toString(), { merge: true })) as Source;
  const began = performance.now();
  const { facts, parsed, document } = await madeOf(fileOf(isJson ? "openapi.json" : "openapi.yaml", bytes));
  const read = performance.now();
  const pages = await pagesOf(document);
  const [times, megabytes] = [[read - began, performance.now() - read], process.memoryUsage().rss / 1e6];
  if (bytes.length > 700_000)
    console.info(
      `${bytes.length} bytes: read in ${Math.round(times[0] ?? 0)} ms, ${pages.length} pages in ${Math.round(times[1] ?? 0)} ms, ` +
        `${Math.round(megabytes)} MB in the process afterwards`,
    );
  expect(facts).toMatchObject({ openapi: source["openapi"] ?? source["swagger"], ...counted(source) });
  expect(counted(parsed)).toEqual(counted(source));
  expect(parsed["openapi"]).toMatch(/^3\.1\./);
  const { operationCount, modelCount: models } = counted(source);
  const operations = operationCount + operationsIn(source["webhooks"]);
  expect(countsIn(pages)).toEqual({ operations, models, different: pages.length });
  expect(pages.filter(({ text }) => (text ?? "") === "")).toEqual([]);
});

test("a specification split into a file for each model and path is bundled to the same document", async () => {
  const bytes = readFileSync(fileURLToPath(sized(trains, figma)));
  const whole = parse(bytes.toString()) as Source & { components: { schemas: Record<string, unknown> } };
  const files = new Map<string, unknown>();
  const moved = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/components/', '"openapi.yaml#/components/'));
  const names = Object.keys(whole.components.schemas).slice(0, 60);
  for (const name of names) files.set(`${name}.yaml`, moved(whole.components.schemas[name]));
  const refs = Object.fromEntries(names.map((name) => [name, { $ref: `./${name}.yaml` }]));
  const cut = { ...whole, components: { ...whole.components, schemas: { ...whole.components.schemas, ...refs } } };
  const parts = [...files].map(([name, part]) =>
    fileOf(name, Buffer.from(stringify(part, { aliasDuplicateObjects: false }))),
  );
  const first = fileOf("openapi.yaml", Buffer.from(stringify(cut, { aliasDuplicateObjects: false })));
  const again = await madeOf(first, ...parts);
  expect(again.facts).toMatchObject(counted(whole));
  expect(again.parsed).toEqual((await madeOf(fileOf("openapi.yaml", bytes))).parsed);
});
