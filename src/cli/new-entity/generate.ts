// Writes the files of a new entity from the templates beside this file, and adds it to the lists of all entities.
import { DomainError } from "#src/base/errors.ts";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { idPrefixes } from "#src/base/ids.ts";

/** The noun in every form that the templates use. */
export type Forms = Readonly<NonNullable<ReturnType<typeof formsOf>>>;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const camel = (words: string): string => words.replaceAll(/ (\w)/g, (_match, letter: string) => letter.toUpperCase());
const kebab = (words: string): string => words.replaceAll(" ", "-");

/** The forms of a singular noun, such as `reading list`, `reading-list` or `ReadingList`; null if it is not a noun. */
export function formsOf(noun: string, plural?: string) {
  const word = inWords(noun);
  const words = inWords(plural ?? `${word.replace(/([^aeiou])y$/, "$1ie").replace(/(s|x|ch|sh)$/, "$1e")}s`);
  if (!/^[a-z]+( [a-z]+)*$/.test(word) || !/^[a-z]+( [a-z]+)*$/.test(words) || word === words) return null;
  const [thing, things] = [camel(word), camel(words)]; // `readingList`: values, and the field of the space
  const [Thing, Things] = [capital(thing), capital(things)]; // `ReadingList`: the model and the GraphQL type
  const [Word, Words] = [capital(word), capital(words)];
  // `reading-list`, the name of the resource in REST, and `reading-lists`, the folder and the name of the feature.
  return { word, words, Word, Words, thing, things, Thing, Things, kebab: kebab(word), folder: kebab(words) };
}

const inWords = (text: string): string =>
  text
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_ ]+/g, " ")
    .toLowerCase();

/** Three letters of the noun that are not the prefix of another kind of id. */
export function freePrefix({ word }: Forms): string {
  const taken = new Set<string>(Object.values(idPrefixes));
  const consonants = word.replaceAll(/[^a-z]|(?<!^)[aeiou]/g, "");
  const letters = `${consonants}${word.replaceAll(" ", "")}xyz`.split("");
  for (const [second, b] of letters.entries())
    for (const c of letters.slice(second + 1)) {
      const prefix = `${letters[0]}${b}${c}`;
      if (second > 0 && !taken.has(prefix)) return prefix;
    }
  const message = `Every prefix made of letters of "${word}" is taken. Set a free one with --prefix.`;
  throw new DomainError("CONFLICT", message);
}

/** The prefix of its ids, whether it has operations of /v1, and whether `spaceEvents` sends its events. */
export interface EntityOptions {
  readonly prefix: string;
  readonly rest: boolean;
  readonly stream: boolean;
}

const templates = new URL("template/", import.meta.url).pathname;

const isWanted = (path: string, { rest, stream }: EntityOptions): boolean =>
  path.endsWith(".txt") &&
  (rest || !/\/(routes|rest)\.ts/.test(path)) &&
  (stream || !path.endsWith("/subscriptions.ts.txt"));

/** Fills in the noun, and includes a line that begins with `{{condition?}}` only if the condition is true. */
function fill(template: string, forms: Forms, { rest, stream }: EntityOptions): string {
  const holds: Readonly<Record<string, boolean>> = { rest, restless: !rest, stream, silent: !stream };
  return template
    .replaceAll(/^\{\{(\w+)\?\}\}(.*\n)/gm, (_match, condition: string, line: string) => (holds[condition] ? line : ""))
    .replaceAll(/\{\{(\w+)\}\}/g, (_match, name: keyof Forms) => forms[name]);
}

/** The path of a template's output: the model, or a file of the feature or of its tests. */
function targetOf(path: string, { folder }: Forms): string {
  const [part = "", file] = path.slice(0, -".txt".length).split("/");
  if (file === undefined) return join("prisma/models", `${folder}.prisma`);
  return join(part === "test" ? "test/features" : "src/features", folder, file);
}

/** Inserts `line` before the first match of `before` after `after`. */
async function insertLine(file: string, line: string, after: string, before: RegExp): Promise<void> {
  const text = await readFile(file, "utf8");
  const start = text.indexOf(after);
  const at = start === -1 ? -1 : text.slice(start).search(before);
  if (at === -1) throw new Error(`${file} has no position for "${line.trim()}"`);
  await writeFile(file, `${text.slice(0, start + at)}${line}\n${text.slice(start + at)}`);
}

/** Writes the entity into the project at `root`. Throws CONFLICT, with nothing written, if one of its files exists. */
export async function generateEntity(
  root: string,
  forms: Forms,
  options: EntityOptions,
): Promise<{ made: string[]; changed: string[] }> {
  const paths = await readdir(templates, { recursive: true, encoding: "utf8" });
  const wanted = paths.filter((path) => isWanted(path, options)).toSorted();
  const made = wanted.map((path) => ({ path, to: targetOf(path, forms) }));
  for (const { to } of made)
    if (await stat(join(root, to)).catch(() => null)) throw new DomainError("CONFLICT", `${to} already exists.`);
  for (const { path, to } of made) {
    await mkdir(dirname(join(root, to)), { recursive: true });
    await writeFile(join(root, to), fill(await readFile(join(templates, path), "utf8"), forms, options));
  }
  return { made: made.map(({ to }) => to), changed: await register(root, forms, options) };
}

/** Adds the entity to the lists of all entities, and returns the files that it changed. */
async function register(root: string, forms: Forms, { prefix, rest }: EntityOptions): Promise<string[]> {
  const { Thing, thing, things, folder } = forms;
  const list = `  ${things} ${Thing}[]`;
  const endOfFields = /^(?:\n  @@|\})/m;
  const imported = `import { ${things} } from "#src/features/${folder}/index.ts";`;
  const audited = `    ${thing}: "created updated deleted",`;
  const lines = [
    ["src/base/ids.ts", `  ${Thing}: "${prefix}",`, "export const idPrefixes", /^\} as const/m],
    ["prisma/models/spaces.prisma", list, "model Space {", endOfFields],
    ["prisma/models/users.prisma", list, "model User {", endOfFields],
    ["src/features/index.ts", imported, "import", /^import type \{ Feature \}/m],
    ["src/features/index.ts", `  ${things},`, "export const features", /^\];/m],
    ["test/features/audit/declared.test.ts", audited, '"Discussion: it gives access to nothing', /^  \},/m],
  ] as const;
  for (const [file, line, after, before] of lines) await insertLine(join(root, file), line, after, before);
  const changed = new Set<string>(lines.map(([file]) => file));
  if (!rest) return [...changed];
  const page = join(root, "src/docs/http.md");
  const text = await readFile(page, "utf8"); // names the number of operations, which the entity adds five to
  await writeFile(
    page,
    text.replace(/\d+(?= operations are routed)/, (count) => String(Number(count) + 5)),
  );
  return [...changed, "src/docs/http.md"];
}
