// Checks of what is written into a page. Paths of errors say which edit of a batch it was.
import { invalidInput } from "#src/base/errors.ts";
import { checkText, given, ifGiven } from "#src/domain/input.ts";
import { checkSlug } from "#src/features/content/commands/slug.ts";
import type { PageFields, PageLayout } from "#src/features/content/reads/pages.ts";
import type { PageType } from "#src/generated/prisma/enums.ts";

/** What may be said of a page when it is made and later: absent is unchanged, null is emptied where a page can do without. */
export interface PageInput {
  readonly title?: string | null | undefined;
  readonly slug?: string | null | undefined;
  readonly markdown?: string | null | undefined;
  readonly emoji?: string | null | undefined;
  readonly icon?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly layout?: PageLayout | null | undefined;
  readonly hidden?: boolean | null | undefined;
  readonly noIndex?: boolean | null | undefined;
  readonly noRobotsIndex?: boolean | null | undefined;
  readonly variables?: readonly { name: string; value: string }[] | null | undefined;
  readonly target?: string | null | undefined;
}

/** The most characters of a text. */
const textLimit = 500_000;

const variableName = /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u;

/** Reads one edit; `at` is where it stands in the input. INVALID_INPUT names the field. */
export function readPageInput(at: string, input: PageInput, type: PageType) {
  const text =
    (max: number, min = 0) =>
    (name: string, value: string) =>
      checkText(`${at}/${name}`, value, { min, max });
  const path = (name: string) => `${at}/${name}`;
  if (input.markdown != null && type !== "document")
    throw invalidInput(path("markdown"), `must not be given: a ${type} has no text.`);
  if (input.target != null && type !== "link")
    throw invalidInput(path("target"), `must not be given: a ${type} leads nowhere else.`);
  return given({
    title: ifGiven(path("title"), input.title, (title) => text(200, 1)("title", title)),
    slug: ifGiven(path("slug"), input.slug, (slug) => checkSlug(path("slug"), slug)),
    text: ifGiven(path("markdown"), input.markdown, (markdown) => checkMarkdown(path("markdown"), markdown)),
    fields: given({
      emoji: orNull(input.emoji, (emoji) => text(50)("emoji", emoji)),
      icon: orNull(input.icon, (icon) => text(100)("icon", icon)),
      description: orNull(input.description, (description) => text(1000)("description", description)),
      layout: orNull(input.layout, (layout) => withoutNulls(layout)),
      hidden: ifGiven(path("hidden"), input.hidden, (hidden) => hidden || null),
      noIndex: ifGiven(path("noIndex"), input.noIndex, (noIndex) => noIndex || null),
      noRobotsIndex: ifGiven(path("noRobotsIndex"), input.noRobotsIndex, (noRobotsIndex) => noRobotsIndex || null),
      variables: orNull(input.variables, (variables) => checkVariables(path("variables"), variables)),
      target: ifGiven(path("target"), input.target, (target) => checkTarget(path("target"), target)),
    }),
  });
}

/** The fields with the changes: what is null or empty there is taken out. */
export function mergeFields(fields: PageFields, changes: ReturnType<typeof readPageInput>["fields"]): PageFields {
  return withoutNulls({ ...fields, ...changes });
}

function orNull<Value, Checked>(
  value: Value | null | undefined,
  check: (value: Value) => Checked,
): Checked | null | undefined {
  if (value === undefined || value === null) return value as null | undefined; // a type parameter may hold null itself
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

/** A text stays as it is, to the last blank. */
function checkMarkdown(path: string, markdown: string): string {
  if (!markdown.isWellFormed() || markdown.includes("\0"))
    throw invalidInput(path, "must be well-formed Unicode without NUL characters.");
  if (markdown.length > textLimit && Array.from(markdown).length > textLimit)
    throw invalidInput(path, `must have at most ${textLimit} characters.`);
  return markdown;
}

function checkTarget(path: string, text: string): string {
  const target = checkText(path, text, { max: 2048 });
  if (!/^(https?|mailto):/i.test(target) || !URL.canParse(target))
    throw invalidInput(path, "must be an absolute address with http, https or mailto.");
  return target;
}

function checkVariables(path: string, variables: readonly { name: string; value: string }[]): Record<string, string> {
  if (variables.length > 100) throw invalidInput(path, "must be at most 100.");
  const checked = new Map<string, string>();
  for (const [index, { name, value }] of variables.entries()) {
    if (!variableName.test(name) || name === "__proto__")
      throw invalidInput(
        `${path}/${index}/name`,
        "must be at most 100 letters, digits, _ and -, with a letter or _ first.",
      );
    if (checked.has(name)) throw invalidInput(`${path}/${index}/name`, "must not be there twice.");
    checked.set(name, checkText(`${path}/${index}/value`, value, { max: 1000 }));
  }
  return Object.fromEntries(checked);
}
