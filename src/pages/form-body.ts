// The body of a sent form: its fields, and the files after them, which are read when it is known what takes them.
import { requireUtf8 } from "#src/base/charset.ts";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { boundaryOf, type Part, partsOf, readText } from "#src/http/multipart.ts";
import { readForm } from "#src/http/request-body.ts";

/** The largest fields of a form together, in bytes: the text of a page, encoded. */
const maxFields = 4_000_000;

/** The field of every form that has files. */
const fileField = "file";

/** A file of a form. */
export interface SentFile {
  readonly name: string;
  /** The name with the folders of a chosen folder before it. */
  readonly path: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/** A form whose fields were received, and whose files were not. */
export interface SentForm {
  readonly fields: URLSearchParams;
  /** The bytes of each must be read before the next one. INVALID_INPUT for a field after a file. */
  readonly files: AsyncIterableIterator<SentFile>;
  /** Drops the files that were not read, so that the connection stays usable. */
  readonly drop: () => Promise<void>;
}

/**
 * Receives a form up to its files. Throws TOO_LARGE for more than {@link maxFields} bytes of fields, INVALID_INPUT for
 * a body that is malformed or truncated, and UNSUPPORTED_MEDIA_TYPE for another charset than UTF-8.
 */
export async function receiveForm(request: Exchange["request"]): Promise<SentForm> {
  const boundary = boundaryOf(request.headers["content-type"]);
  if (boundary === null)
    return { fields: await readForm(request, maxFields), files: filesIn([]), drop: () => Promise.resolve() };
  requireUtf8(request.headers["content-type"] ?? "");
  const parts = partsOf(request, boundary);
  try {
    const { fields, first } = await readFields(parts);
    return { fields, files: filesIn(first ? [first] : [], parts), drop: async () => void (await parts.return(null)) };
  } catch (error) {
    await parts.return(null);
    throw error;
  }
}

/** The fields up to the first file. */
async function readFields(parts: AsyncGenerator<Part>): Promise<{ fields: URLSearchParams; first: Part | null }> {
  const fields = new URLSearchParams();
  let left = maxFields;
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part: Part = next.value;
    if (part.filename !== undefined) return { fields, first: part };
    const text = await readText(part.bytes, left, "the fields of a form together");
    left -= Buffer.byteLength(text) + part.name.length;
    if (left < 0) throw new DomainError("TOO_LARGE", `The fields of a form may have at most ${maxFields} bytes.`);
    fields.append(part.name, text);
  }
  return { fields, first: null };
}

/** Browsers send a file without a name and bytes for a field in which none was chosen. */
async function* filesIn(first: readonly Part[], rest?: AsyncGenerator<Part>): AsyncGenerator<SentFile> {
  for (const part of first) yield* fileIn(part);
  if (!rest) return;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield* fileIn(next.value);
}

async function* fileIn({ name, filename, path = "", bytes }: Part): AsyncGenerator<SentFile> {
  if (filename === undefined) throw invalidInput(name, "must be sent before the files of the form.");
  if (filename !== "" && name !== fileField)
    throw invalidInput(name, `must not have a file; only \`${fileField}\` may.`);
  if (filename !== "") return yield { name: filename, path, bytes };
  for await (const _chunk of bytes); // to the end of the part
}
