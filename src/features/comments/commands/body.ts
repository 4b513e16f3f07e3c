// The text of a comment or reply, as it is given and as it is stored.
import { invalidInput } from "#src/base/errors.ts";
import { checkText, ifGiven } from "#src/domain/input.ts";

/** A text in one of its forms. */
export interface Body {
  readonly markdown?: string | null | undefined;
  readonly document?: object | null | undefined;
}

/** Most Unicode characters of a text. */
const markdownLimit = 65_536;

/**
 * The Markdown of a body, just as it was given; undefined for an empty body, which leaves a text as it is.
 * INVALID_INPUT for blank and for over-long text, and for a document: only Markdown can be taken so far.
 */
export function checkBody({ markdown, document }: Body): string | undefined {
  const text = ifGiven("body.markdown", markdown, checkMarkdown);
  if (document === undefined) return text;
  throw invalidInput("body.document", "cannot be taken yet: give the text as `markdown`, and nothing else.");
}

/** The Markdown of a new comment or reply. INVALID_INPUT for an empty body too. */
export function checkNewBody(body: Body): string {
  const markdown = checkBody(body);
  if (markdown === undefined) throw invalidInput("body", "must have `markdown`.");
  return markdown;
}

/** Blanks around the text stay: at its start they mean something in Markdown. */
function checkMarkdown(markdown: string): string {
  const path = "body.markdown";
  checkText(path, markdown, { min: 1, max: markdownLimit });
  const { length } = Array.from(markdown);
  if (length > markdownLimit)
    throw invalidInput(path, `must have 1 to ${markdownLimit} characters, and has ${length}.`);
  return markdown;
}
