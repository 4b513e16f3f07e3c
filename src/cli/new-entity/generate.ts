// Writes the files of a new entity from the templates beside this file, and adds it where a list names every entity.
import { DomainError } from "#src/base/errors.ts";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { idPrefixes } from "#src/base/ids.ts";

/** The noun in every form that the templates use. */
export interface Forms {
  /** `reading list` and `reading lists`. */
  readonly word: string;
  readonly words: string;
  /** The same as the first words of a sentence. */
  readonly Word: string;
  readonly Words: string;
  /** `readingList` and `readingLists`: values, and the field of the space. */
  readonly thing: string;
  readonly things: string;
  /** `ReadingList`: the model and the GraphQL type. */
  readonly Thing: string;
  /** `reading-lists`: the folder and the name of the feature. */
  readonly folder: string;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const camel = (words: string): string => words.replaceAll(/ (\w)/g, (_match, letter: string) => letter.toUpperCase());

/** The forms of a noun in the singular, such as `reading list`, `reading-list` or `ReadingList`; null for no noun. */
export function formsOf(noun: string, plural?: string): Forms | null {
  const word = inWords(noun);
  const words = inWords(plural ?? `${word.replace(/([^aeiou])y$/, "$1ie").replace(/(s|x|ch|sh)$/, "$1e")}s`);
  if (!/^[a-z]+( [a-z]+)*$/.test(word) || !/^[a-z]+( [a-z]+)*$/.test(words) || word === words) return null;
  return {
    word,
    words,
    Word: capital(word),
    Words: capital(words),
    thing: camel(word),
    things: camel(words),
    Thing: capital(camel(word)),
    folder: words.replaceAll(" ", "-"),
  };
}

const inWords = (text: string): string =>
  text
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_ ]+/g, " ")
    .toLowerCase();

/** Three letters of the noun that no other kind of id starts with. */
export function freePrefix({ word }: Forms): string {
  const taken = new Set<string>(Object.values(idPrefixes));
  const consonants = word.replaceAll(/[^a-z]|(?<!^)[aeiou]/g, "");
  const letters = `${consonants}${word.replaceAll(" ", "")}xyz`.split("");
  for (const [second, b] of letters.entries())
    for (const c of letters.slice(second + 1)) {
      const prefix = `${letters[0]}${b}${c}`;
      if (second > 0 && !taken.has(prefix)) return prefix;
    }
  throw new DomainError(
    "CONFLICT",
    `Every prefix made of letters of "${word}" is taken. Give a free one with --prefix.`,
  );
}

const templates = new URL("template/", import.meta.url).pathname;

function fill(template: string, forms: Forms): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_match, name: keyof Forms) => forms[name]);
}

/** Where each template goes, by its folder. */
const targets: Readonly<Record<string, (forms: Forms) => string>> = {
  "": ({ folder }) => join("prisma/models", `${folder}.prisma`),
  feature: ({ folder }) => join("src/features", folder),
  test: ({ folder }) => join("test/features", folder),
};

/** Inserts `line` before the first match of `before` behind `after`. */
async function insertLine(file: string, { line, after, before }: { line: string; after: string; before: RegExp }) {
  const text = await readFile(file, "utf8");
  const start = text.indexOf(after);
  const at = start === -1 ? -1 : text.slice(start).search(before);
  if (at === -1) throw new Error(`${file} has no place for "${line.trim()}"`);
  await writeFile(file, `${text.slice(0, start + at)}${line}\n${text.slice(start + at)}`);
}

/**
 * Writes the entity into the project at `root`. Answers the files that it made and those that it changed, in that
 * order. Throws when something of its name is there already; then nothing is written.
 */
export async function generateEntity(
  root: string,
  forms: Forms,
  prefix: string,
): Promise<{ made: string[]; changed: string[] }> {
  const made = (await readdir(templates, { recursive: true, encoding: "utf8" }))
    .filter((path) => path.endsWith(".txt"))
    .map((path) => {
      const folder = path.includes("/") ? dirname(path) : "";
      const to = targets[folder]?.(forms) ?? "";
      return { path, to: folder === "" ? to : join(to, path.slice(folder.length + 1, -".txt".length)) };
    });
  for (const { to } of made)
    if (await stat(join(root, to)).catch(() => null)) throw new DomainError("CONFLICT", `${to} is there already.`);
  for (const { path, to } of made) {
    await mkdir(dirname(join(root, to)), { recursive: true });
    await writeFile(join(root, to), fill(await readFile(join(templates, path), "utf8"), forms));
  }
  return { made: made.map(({ to }) => to), changed: await register(root, forms, prefix) };
}

/** Adds the entity to the ids, to the models that it refers to, and to the registry of features. */
async function register(root: string, { Thing, things, folder }: Forms, prefix: string): Promise<string[]> {
  const ids = "src/base/ids.ts";
  await insertLine(join(root, ids), {
    line: `  ${Thing}: "${prefix}",`,
    after: "export const idPrefixes",
    before: /^\} as const/m,
  });
  const models = ["prisma/models/spaces.prisma", "prisma/models/users.prisma"];
  for (const [index, model] of ["Space", "User"].entries()) {
    const back = { line: `  ${things} ${Thing}[]`, after: `model ${model} {`, before: /^(?:\n  @@|\})/m };
    await insertLine(join(root, models[index] ?? ""), back);
  }
  const registry = "src/features/index.ts";
  const line = `import { ${things} } from "#src/features/${folder}/index.ts";`;
  await insertLine(join(root, registry), { line, after: "import", before: /^import type \{ Feature \}/m });
  await insertLine(join(root, registry), { line: `  ${things},`, after: "export const features", before: /^\];/m });
  return [ids, ...models, registry];
}
