// Checks of input for pages, variables and reusable contents. Error paths name the edit of the batch.
import { isStorable, mustBeStorable } from "#src/base/text/forms.ts";
import { invalidInput } from "#src/base/errors.ts";
import { checkText, given, ifGiven, type Optional } from "#src/domain/input.ts";
import { isIdOf, lastingId } from "#src/base/ids.ts";
import type { GivenDocument } from "#src/documents/document.ts";
import { isSpecName } from "#src/documents/references.ts";
import { isSameSource } from "#src/features/content/model/computed.ts";
import { type PageComputed, type PageCover, type PageFields, referenceOf } from "#src/features/content/model/page.ts";
import { checkSlug } from "#src/features/content/model/slug.ts";
import type { PageType } from "#src/generated/prisma/enums.ts";

export type TextCheck = (path: string, text: string) => string;

const textLimit = 500_000;

export const isTooLong = (text: string): boolean => text.length > textLimit && Array.from(text).length > textLimit;

/** Returns the text. INVALID_INPUT if PostgreSQL cannot store it, or above 500,000 characters. */
export function checkMarkdown(path: string, markdown: string): string {
  if (!isStorable(markdown)) throw invalidInput(path, mustBeStorable);
  if (isTooLong(markdown)) throw invalidInput(path, `must have at most ${textLimit} characters.`);
  return markdown;
}

export const variableLimit = 100;

const form = /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u;

/** INVALID_INPUT unless it has at most 100 letters, digits, `_` and `-` and starts with a letter or `_`. */
export function checkVariableName(path: string, name: string): void {
  if (!form.test(name) || name === "__proto__")
    throw invalidInput(path, "must have 1 to 100 letters, digits, _ and -, and must start with a letter or _.");
}

export const checkVariableValue = (path: string, value: string): string => checkText(path, value, { max: 1000 });

/** The fields of a page that creation and updates can set: absent means unchanged, null clears. */
export type PageInput = Optional<
  Omit<PageFields, "cover" | "variables" | "computed"> & {
    title: string;
    slug: string;
    markdown: string;
    document: GivenDocument;
    cover: CoverInput;
    variables: readonly { name: string; value: string }[];
    computed: ComputedInput;
  }
>;

type CoverInput = { readonly fileId: string } & Optional<{ fileDarkId: string; yPos: number }>;
type ComputedInput = Omit<PageComputed, "doc"> & Optional<Pick<PageComputed, "doc">>;

const upTo =
  (max: number, min = 0): TextCheck =>
  (path, text) =>
    checkText(path, text, { min, max });

export const pageTextChecks = {
  title: upTo(200, 1),
  slug: checkSlug,
  emoji: upTo(50),
  icon: upTo(100),
  description: upTo(1000),
  target: checkTarget,
} as const satisfies Readonly<Record<string, TextCheck>>;

export type WrittenDocuments = ReadonlyMap<GivenDocument, string>;

export function readPageInput(at: string, input: PageInput, type: PageType, written: WrittenDocuments) {
  const check = (name: keyof typeof pageTextChecks) => (text: string) => pageTextChecks[name](path(name), text);
  const path = (name: string) => `${at}/${name}`;
  const text = textIn(at, input, written);
  if (text.markdown != null && type !== "document")
    throw invalidInput(text.path, `must not be set: a ${type} page has no text.`);
  if (input.target != null && type !== "link")
    throw invalidInput(path("target"), `must not be set: a ${type} page is not a link.`);
  if (input.computed != null && type !== "computed")
    throw invalidInput(path("computed"), `must not be set: a ${type} page is not computed.`);
  return given({
    title: ifGiven(path("title"), input.title, check("title")),
    slug: ifGiven(path("slug"), input.slug, check("slug")),
    text: ifGiven(text.path, text.markdown, (markdown) => checkMarkdown(text.path, markdown)),
    fields: given({
      emoji: orNull(input.emoji, check("emoji")),
      icon: orNull(input.icon, check("icon")),
      description: orNull(input.description, check("description")),
      layout: orNull(input.layout, (layout) => withoutNulls(layout)),
      cover: orNull(input.cover, (cover) => checkCover(path("cover"), cover)),
      hidden: ifGiven(path("hidden"), input.hidden, (hidden) => hidden || null),
      noIndex: ifGiven(path("noIndex"), input.noIndex, (noIndex) => noIndex || null),
      noRobotsIndex: ifGiven(path("noRobotsIndex"), input.noRobotsIndex, (noRobotsIndex) => noRobotsIndex || null),
      variables: orNull(input.variables, (variables) => checkVariables(path("variables"), variables)),
      target: ifGiven(path("target"), input.target, check("target")),
      computed: ifGiven(path("computed"), input.computed, (computed) => checkComputed(path("computed"), computed)),
    }),
  });
}

function textIn(at: string, { markdown, document }: PageInput, written: WrittenDocuments) {
  if (document === undefined) return { path: `${at}/markdown`, markdown };
  if (markdown !== undefined)
    throw invalidInput(`${at}/document`, "must not be set together with `markdown`. Set only one of them.");
  return { path: `${at}/document`, markdown: document && written.get(document) };
}

/** Applies the changes to the fields, and removes null and empty ones. */
export function mergeFields(fields: PageFields, changes: ReturnType<typeof readPageInput>["fields"]): PageFields {
  const given = changes?.computed ?? undefined;
  const isSame = given !== undefined && isSameSource(given, fields.computed);
  return withoutNulls({ ...fields, ...changes, ...(isSame && { computed: fields.computed }) });
}

function orNull<Value, Checked>(
  value: Value | null | undefined,
  check: (value: Value) => Checked,
): Checked | null | undefined {
  if (value === undefined || value === null) return value as null | undefined; // a type parameter may include null
  return check(value);
}

type Present<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], null | undefined> };

function withoutNulls<Fields extends object>(fields: Fields): Partial<Present<Fields>> {
  // Object.entries loses the names; only entries of `fields` that are present and not empty are kept.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value != null && value !== "" && !isEmptyObject(value)),
  ) as Partial<Present<Fields>>;
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

export function checkTarget(path: string, text: string): string {
  const target = checkText(path, text, { max: 2048 });
  if (!referenceOf(target))
    throw invalidInput(
      path,
      "must be an http, https or mailto URL; page:, file:, space:, user: or collection: with an id; or openapi: with a slug.",
    );
  return target;
}

function checkCover(path: string, { fileId, fileDarkId, yPos }: CoverInput): PageCover {
  if (yPos != null && Math.abs(yPos) > 100_000)
    throw invalidInput(`${path}/yPos`, "must be a number from -100000 to 100000.");
  return {
    file: checkFileId(`${path}/fileId`, fileId),
    ...(fileDarkId != null && { fileDark: checkFileId(`${path}/fileDarkId`, fileDarkId) }),
    ...(yPos != null && { yPos }),
  };
}

function checkFileId(path: string, id: string): string {
  const fileId = lastingId("File", id);
  if (!isIdOf("File", fileId)) throw invalidInput(path, "must be the id of a file.");
  return fileId;
}

function checkComputed(path: string, { type, spec, doc }: ComputedInput): PageComputed {
  if (!isSpecName(spec)) throw invalidInput(`${path}/spec`, "must be the slug or id of a specification.");
  return { type, spec, ...(doc != null && { doc: checkText(`${path}/doc`, doc, { min: 1, max: 100 }) }) };
}

function checkVariables(path: string, variables: readonly { name: string; value: string }[]): Record<string, string> {
  if (variables.length > variableLimit) throw invalidInput(path, `must have at most ${variableLimit} entries.`);
  const checked = new Map<string, string>();
  for (const [index, { name, value }] of variables.entries()) {
    checkVariableName(`${path}/${index}/name`, name);
    if (checked.has(name)) throw invalidInput(`${path}/${index}/name`, "must not occur twice.");
    checked.set(name, checkVariableValue(`${path}/${index}/value`, value));
  }
  return Object.fromEntries(checked);
}
