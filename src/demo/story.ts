// How the demo tells the story of a space: edits and change requests, with what they do to its pages. Pages go by names that are no part of them.
import type { PersonName } from "#src/demo/people.ts";
import type { CreatePage } from "#src/features/content/commands/apply-edits.ts";
import type { ChangeRequestStatus } from "#src/generated/prisma/enums.ts";

/** A day of the story and a time of day. */
export type Moment = readonly [day: number, time: `${number}:${number}`];

/** A new page, with those below it. In its text `page:name` leads to the page of that name. */
export interface PagePlan extends Omit<CreatePage, "pageId" | "parentId" | "position" | "markdown"> {
  readonly name: string;
  readonly text?: string;
  readonly pages?: readonly PagePlan[];
}

/** One thing that is done to a content. */
export type PageChange =
  | { readonly add: PagePlan; readonly to?: string; readonly after?: string }
  | {
      readonly update: string;
      readonly title?: string;
      readonly text?: string;
      /** A piece of the text, which is there once, and what comes in its place. */
      readonly replace?: readonly [from: string, to: string];
      /** A paragraph after the text. */
      readonly append?: string;
    }
  | { readonly move: string; readonly to: string }
  | { readonly variables: Readonly<Record<string, string>> }
  /** A text that pages include by `{{ reusable:name }}`. */
  | { readonly reuse: string; readonly title: string; readonly text: string };

/** A direct edit of the main content. */
export interface EditPlan {
  readonly by: PersonName;
  readonly at: Moment;
  readonly edit: string;
  readonly does: readonly PageChange[];
}

export interface ChangePlan {
  readonly by: PersonName;
  readonly at: Moment;
  /** The subject. */
  readonly change: string;
  readonly does: readonly PageChange[];
  /** When its own content was last edited, if it has been since it was opened. */
  readonly edited?: { readonly at: Moment; readonly does: readonly PageChange[] };
  /** When it last took in the main content. */
  readonly updated?: Moment;
  /** How it stands, or when it was merged. */
  readonly now: Exclude<ChangeRequestStatus, "merged"> | { readonly merged: Moment; readonly by: PersonName };
}

/** Told in any order: the calendar decides. Numbers count in the order in which change requests were opened. */
export type Story = readonly (EditPlan | ChangePlan)[];

/** A text as it is written in the code: without the indentation that all of its lines have, and with one line break at the end. */
export function text(parts: TemplateStringsArray): string {
  const lines = parts.join("").split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  return `${lines
    .map((line) => line.slice(indent))
    .join("\n")
    .trim()}\n`;
}
