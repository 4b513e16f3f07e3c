// The text of a comment or reply, as it is given and as it is stored.
import { invalidInput } from "#src/base/errors.ts";
import type { GivenDocument } from "#src/documents/document.ts";
import { isSettingsOnly } from "#src/documents/notes.ts";
import { writeDocuments } from "#src/documents/write-documents.ts";
import { checkText, oneOf, type Optional } from "#src/domain/input.ts";

/** A text in one of its forms. */
export type Body = Optional<{ markdown: string; document: GivenDocument }>;

/** Most Unicode characters of a text. */
const markdownLimit = 65_536;

/**
 * The Markdown of a body: just as it was given, or of the document. INVALID_INPUT for blank and over-long text, and,
 * with a JSON pointer, for a document that is not valid.
 */
export async function readBody({ markdown, document }: Body): Promise<string> {
  const [name, value] = oneOf("text", { markdown, document });
  if (name === "markdown") return checkMarkdown("text.markdown", value);
  const [written = ""] = await writeDocuments([{ document: value, path: "text/document" }]);
  // A text of a comment ends without a line break, and settings alone are none.
  return checkMarkdown("text.document", isSettingsOnly(written) ? "" : written.replace(/\n$/, ""));
}

/** Blanks around the text stay: at its start they mean something in Markdown. */
function checkMarkdown(path: string, markdown: string): string {
  checkText(path, markdown, { min: 1, max: markdownLimit });
  const { length } = Array.from(markdown);
  if (length > markdownLimit)
    throw invalidInput(path, `must have 1 to ${markdownLimit} characters, and has ${length}.`);
  return markdown;
}
