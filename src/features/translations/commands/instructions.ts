// What an engine is told, as it is given and as it is stored.
import { invalidInput } from "#src/base/errors.ts";
import type { GivenDocument } from "#src/documents/document.ts";
import { writeDocuments } from "#src/documents/write-documents.ts";
import { checkText, type Optional } from "#src/domain/input.ts";

/** Instructions in one of their forms. */
export type GivenInstructions = Optional<{ instructions: GivenDocument; instructionsMarkdown: string }>;

/** How long instructions may be, as Markdown. */
export const instructionsLimit = 10_000;

/**
 * The Markdown of instructions; undefined where none are given. INVALID_INPUT for both forms at once, for null, for
 * more than 10,000 characters, and for a document that is not valid.
 */
export async function readInstructions({
  instructions,
  instructionsMarkdown,
}: GivenInstructions): Promise<string | undefined> {
  if (instructions !== undefined && instructionsMarkdown !== undefined)
    throw invalidInput("instructions", "must not be given together with `instructionsMarkdown`: give one of them.");
  const path = instructions === undefined ? "instructionsMarkdown" : "instructions";
  if (instructions === null || instructionsMarkdown === null) throw invalidInput(path, "must not be null.");
  if (instructions === undefined && instructionsMarkdown === undefined) return undefined;
  const [text = instructionsMarkdown ?? ""] = instructions
    ? await writeDocuments([{ document: instructions, path }])
    : [];
  return checkText(path, text, { max: instructionsLimit });
}
