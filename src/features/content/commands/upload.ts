// Uploading a file: it is added to a content, as one revision.
import { invalidInput } from "#src/base/errors.ts";
import { requireAllowed } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { checkText } from "#src/domain/input.ts";
import { mayUploadFile } from "#src/features/content/access.ts";
import { addFiles, newFile, requireRoomIn } from "#src/features/content/commands/files.ts";
import {
  checkExpected,
  checkMessage,
  contentInHand,
  revise,
  type Revised,
} from "#src/features/content/commands/revise.ts";
import type { Upload } from "#src/files/upload.ts";

/** Control characters, line breaks, separators of paths, and what can hide the end of a name by its direction. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}/\\\u202a-\u202e\u2066-\u2069]/u;

/** The name of a file as it is stored. INVALID_INPUT for one that is empty, too long, or no name. */
export function checkFileName(path: string, text: string): string {
  const name = checkText(path, text, { min: 1, max: 200 });
  if (unfit.test(name) || name === "." || name === "..")
    throw invalidInput(path, "must be a name without control characters, / and \\.");
  return name;
}

type UploadInput = Revised & { readonly file: Upload; readonly name?: string | null | undefined };

/** What is known of an upload without its bytes. */
async function prepare(context: Context, input: UploadInput) {
  const target = await contentInHand(context, input);
  const message = checkMessage(input.message);
  await requireAllowed(context, mayUploadFile, target.space); // checked here, too, before the work that images make
  return { target, message };
}

/** Throws what {@link uploadFile} does, as far as it is known before the file has come. */
export async function checkUpload(context: Context, input: UploadInput): Promise<void> {
  const { target } = await prepare(context, input);
  if (input.name != null) checkFileName("name", input.name);
  checkExpected(input.expectedRevisionId, target.revisionId);
  await requireRoomIn(context, target.revisionId, input.file.leastBytes);
}

/**
 * Adds a file to the main content of a space, or to that of a change request. Needs `edit`. Without a name it has that
 * of the upload. The bytes are kept with the revision: nothing is left of a refused upload.
 *
 * Throws NOT_FOUND for a target that is not there, CONFLICT as `editContent` does, INVALID_INPUT for a bad name and for
 * more than 10,000 files.
 */
export async function uploadFile(
  context: Context,
  input: UploadInput,
): Promise<{ revisionId: string; fileId: string }> {
  const { target, message } = await prepare(context, input);
  const name = checkFileName("name", input.name ?? input.file.name);
  const { expectedRevisionId } = input;
  const file = await newFile(name, input.file.blob);
  const answer = { fileId: "" };
  return answersWith(context, answer, () =>
    revise(context, mayUploadFile, target, {
      type: "edits",
      expectedRevisionId,
      message,
      async build(transaction, head) {
        const added = await addFiles(transaction, context, { filesHash: head.filesHash, files: [file] });
        answer.fileId = added.files[0]?.fileId ?? "";
        return { ...head, filesHash: added.filesHash };
      },
    }),
  );
}
