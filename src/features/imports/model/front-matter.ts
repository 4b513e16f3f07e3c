// A parser of front matter: YAML between two lines of dashes at the start of a Markdown file. Replaces vfile-matter,
// which throws for invalid YAML, and does not report where the front matter ends.
import { createRequire } from "node:module";
import { z } from "zod";
import { isStorable } from "#src/base/text/forms.ts";
import type { PageFields, PageLayout } from "#src/features/content/model/page.ts";

export interface FrontMatter {
  readonly title?: string;
  /** The URL of an image, as written. */
  readonly cover?: string;
  readonly coverY?: number;
  readonly fields: PageFields;
  /** The end, including following empty lines; 0 without front matter. */
  readonly end: number;
  /** Whether it is invalid and stays part of the text. */
  readonly isText: boolean;
  readonly problems: readonly string[];
}

const longest = 64 * 1024;
const opening = /^---[ \t]*\r?\n/;
const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n(?:[ \t]*\r?\n)*|$)/m;

export function readFrontMatter(text: string): FrontMatter {
  const none = { fields: {}, end: 0, isText: false, problems: [] };
  const start = opening.exec(text)?.[0].length;
  if (start === undefined) return none;
  const rest = text.slice(start, start + longest);
  const close = closing.exec(rest);
  if (!close) return none; // a thematic break
  const end = start + close.index + close[0].length;
  const parsed = parseYaml(rest.slice(0, close.index));
  if ("problem" in parsed) {
    const problem = `The front matter is invalid and stays part of the text: ${parsed.problem}.`;
    return { ...none, end, isText: true, problems: [problem] };
  }
  return { ...fieldsOf(parsed.value), end, isText: false };
}

/** Loads the parser for the first text that has front matter: it is a tenth of what a gateway loads. */
const require = createRequire(import.meta.url);

function parseYaml(yaml: string): { value: object } | { problem: string } {
  const { parseDocument } = require("yaml") as typeof import("yaml");
  const document = parseDocument(yaml, { logLevel: "silent", prettyErrors: false });
  const [error] = document.errors;
  if (error) return { problem: `it is not valid YAML (${error.message.split("\n")[0]})` };
  try {
    const value: unknown = document.toJS({ maxAliasCount: 20 });
    if (value === null) return { value: {} };
    return typeof value === "object" && !Array.isArray(value) ? { value } : { problem: "it is not a YAML mapping" };
  } catch {
    return { problem: "it has too many aliases" };
  }
}

/** A text; an empty one counts as missing. */
const textOf = (max: number) =>
  z
    .union([z.string(), z.number()])
    .transform((value) => String(value).trim() || undefined)
    .refine((value = "") => isStorable(value) && Array.from(value).length <= max);

const yes = z.boolean().transform((value) => value || undefined);

/** Whether to show a part of the layout, in the short form or in that of other tools. */
const shown = z.union([z.boolean(), z.object({ visible: z.boolean() }).transform(({ visible }) => visible)]);

const layout = {
  width: z.enum(["default", "wide"]),
  coverSize: z.enum(["hero", "full", "background"]),
  cover: shown,
  title: shown,
  description: shown,
  tableOfContents: shown,
  outline: shown,
  pagination: shown,
  metadata: shown,
} satisfies Record<keyof PageLayout, z.ZodType>;

const own = { title: textOf(longest), cover: textOf(2048), coverY: z.number().min(-100_000).max(100_000) };

const fields = {
  description: textOf(1000),
  icon: textOf(100),
  emoji: textOf(50),
  hidden: yes,
  noIndex: yes,
  noRobotsIndex: yes,
} satisfies Partial<Record<keyof PageFields, z.ZodType>>;

type Taken<Schemas extends Record<string, z.ZodType>> = {
  [Name in keyof Schemas]?: Exclude<z.output<Schemas[Name]>, undefined>;
};

/** Takes the fields of pages and ignores others: tools write many more into front matter. */
function fieldsOf(value: object): Omit<FrontMatter, "end" | "isText"> {
  const problems: string[] = [];
  function take<Schemas extends Record<string, z.ZodType>>(from: object, schemas: Schemas, at = ""): Taken<Schemas> {
    const taken: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(schemas)) {
      const given: unknown = Object.hasOwn(from, name) ? Reflect.get(from, name) : undefined;
      if (given === undefined || given === null) continue;
      const { data, success } = schema.safeParse(given);
      if (!success) problems.push(`The value of ${at}${name} in the front matter is not valid and is ignored.`);
      else if (data !== undefined) taken[name] = data;
    }
    return taken as Taken<Schemas>; // each checked by its own schema
  }
  const laidOut: unknown = Reflect.get(value, "layout");
  const taken = typeof laidOut === "object" && laidOut !== null ? take(laidOut, layout, "layout.") : {};
  return {
    ...take(value, own),
    fields: { ...take(value, fields), ...(Object.keys(taken).length > 0 && { layout: taken }) },
    problems,
  };
}
