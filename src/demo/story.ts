// The stories of the demo, from stories/<space>/story.yaml and the files beside it, and their calendar.
import { readdir, readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";
import { documentationFiles, documentationFolder } from "#src/demo/documentation.ts";

const firstDay = Date.UTC(2026, 2, 2); // Monday, 2 March 2026: every demo has the same dates
/** Milliseconds of a day. */
export const dayLength = 24 * 60 * 60 * 1000;

/** The instant of a time of day (`HH:MM`, UTC) on a day of the story, where 0 is the first. */
export function at(day: number, time = "9:00"): Date {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return new Date(firstDay + day * dayLength + (hours * 60 + minutes) * 60_000);
}

/** Whether a text is an instant: a day of the story and a time of day, such as `12 9:05`. */
export const isInstant = (text: string): boolean => /^\d+ \d\d?:\d\d$/.test(text);

/** The instant of such a text. */
export function instantOf(text: string): Date {
  const [day, time] = text.split(" ");
  return at(Number(day), time);
}

/** The id of a person by their name in the stories. Throws for an unknown name. */
export type People = (name: string) => string;

const text = z.string().min(1);
const instant = z.string().refine(isInstant).transform(instantOf);
const done = { by: text, at: instant };

const said = {
  ...done,
  edited: instant.optional(),
  text,
  reactions: z.record(z.string(), z.array(text)).default({}),
};

const comment = z.strictObject({
  ...said,
  /** Its target if not the whole: a page, the block of it with this beginning, or a table cell (row, column). */
  about: z.strictObject({ page: text, node: text.optional(), cell: z.tuple([text, text]).optional() }).optional(),
  /** Whether it belongs to the review of its author. */
  inReview: z.boolean().default(false),
  resolved: z.strictObject(done).optional(),
  replies: z.array(z.strictObject(said)).default([]),
});

const review = z.strictObject({
  by: text,
  /** The requester; absent if the reviewer came on their own. */
  asked: z.strictObject(done).optional(),
  given: z
    .strictObject({ status: z.enum(["approved", "changes_requested"]), at: instant, message: text.optional() })
    .optional(),
  /** The user who dismissed it. */
  dismissed: z.strictObject(done).optional(),
});

/** A folder with the changed files: Markdown, and SUMMARY.md if pages are added, removed, moved or renamed. */
const files = text;

const edit = z.strictObject({ edit: text, files, ...done });

const change = z.strictObject({
  change: text,
  files,
  ...done,
  /** A second edit of its own content. */
  edited: z.strictObject({ files, at: instant }).optional(),
  /** When it merged the main content. */
  updated: instant.optional(),
  status: z.enum(["draft", "open", "archived"]).default("open"),
  merged: z.strictObject(done).optional(),
  reviews: z.array(review).default([]),
  comments: z.array(comment).default([]),
});

export const storyFormat = z.strictObject({
  /** Of the whole space, from the first edit on. */
  variables: z.record(text, text).default({}),
  /** Of pages, by their files. */
  pageVariables: z.record(text, z.record(text, text)).default({}),
  /** Texts that pages include by `{{ reusable:name }}`, by name, from the first edit on. */
  reusable: z.record(text, z.strictObject({ title: text, text })).default({}),
  /** Whether it has a folder with the documentation of docgraph, and no other. */
  documentation: z.boolean().default(false),
  /** In any order: the times decide. Change requests are numbered in the order of opening. */
  steps: z.array(z.union([edit, change])),
  /** On the space. */
  comments: z.array(comment).default([]),
});

/** Texts of files by path. */
export type Files = ReadonlyMap<string, string>;

export type Said = z.output<z.ZodObject<typeof said>>;
export type CommentPlan = z.output<typeof comment>;
export type ReviewPlan = z.output<typeof review>;
export type EditPlan = z.output<typeof edit>;
export type ChangePlan = z.output<typeof change>;

export interface Story extends z.output<typeof storyFormat> {
  readonly folders: ReadonlyMap<string, Files>;
}

/** Reads the story of a space, whose folder has the name of the space. Throws if it is not of the format. */
export async function readStory(space: string): Promise<Story> {
  const root = new URL(`stories/${space}/`, import.meta.url);
  const read = (path: string) => readFile(new URL(path, root), "utf8");
  const paths = await readdir(root, { recursive: true });
  const folders = new Map<string, Map<string, string>>();
  for (const path of paths.map((name) => name.replaceAll("\\", "/")).filter((name) => name.endsWith(".md"))) {
    const [folder = "", ...names] = path.split("/");
    folders.set(folder, (folders.get(folder) ?? new Map<string, string>()).set(names.join("/"), await read(path)));
  }
  const story = storyFormat.parse(parse(await read("story.yaml")));
  if (story.documentation) folders.set(documentationFolder, await documentationFiles());
  return { ...story, folders };
}
