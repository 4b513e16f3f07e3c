// The text of a comment or reply, as it is given and as it is stored.
import { invalidInput } from "#src/base/errors.ts";
import type { GivenDocument } from "#src/documents/document.ts";
import { isSettingsOnly } from "#src/documents/notes.ts";
import { writeDocuments } from "#src/documents/write-documents.ts";
import { checkText } from "#src/domain/input.ts";

/** A text in one of its forms. */
export interface Body {
  readonly markdown?: string | null | undefined;
  readonly document?: GivenDocument | null | undefined;
}

/** Most Unicode characters of a text. */
const markdownLimit = 65_536;

/**
 * The Markdown of a body: just as it was given, or of the document; undefined for an empty body, which leaves a text as
 * it is. INVALID_INPUT when both forms are given, for blank and over-long text, and, with a JSON pointer, for a
 * document that is not valid.
 */
export async function readBody({ markdown, document }: Body): Promise<string | undefined> {
  if (markdown !== undefined && document !== undefined)
    throw invalidInput("text.document", "must not be given together with `markdown`: give one of them.");
  const path = document === undefined ? "text.markdown" : "text.document";
  if (markdown === null || document === null) throw invalidInput(path, "must not be null.");
  if (!document) return markdown === undefined ? undefined : checkMarkdown(path, markdown);
  const [written = ""] = await writeDocuments([{ document, path: "text/document" }]);
  // A text of a comment ends without a line break, and settings alone are none.
  return checkMarkdown(path, isSettingsOnly(written) ? "" : written.replace(/\n$/, ""));
}

/** The Markdown of a new comment or reply. INVALID_INPUT for an empty body too. */
export async function readNewBody(body: Body): Promise<string> {
  const markdown = await readBody(body);
  if (markdown === undefined) throw invalidInput("text", "must have either `markdown` or `document`.");
  return markdown;
}

/** Blanks around the text stay: at its start they mean something in Markdown. */
function checkMarkdown(path: string, markdown: string): string {
  checkText(path, markdown, { min: 1, max: markdownLimit });
  const { length } = Array.from(markdown);
  if (length > markdownLimit)
    throw invalidInput(path, `must have 1 to ${markdownLimit} characters, and has ${length}.`);
  return markdown;
}
