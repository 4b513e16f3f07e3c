// Reading multipart/form-data (RFC 7578) part by part, as it comes in. The reader of a part pulls its bytes: so there
// is never more in memory than a chunk, the client is slowed down to the pace of the reader, and a broken body is an
// error where it is read.
import { requireUtf8 } from "#src/base/charset.ts";
import { DomainError, invalidInput } from "#src/base/errors.ts";

/** One part. Its bytes are to be read to the end before the next part is asked for. */
export interface Part {
  readonly name: string;
  /** Set for a file; without the folders that some clients send. */
  readonly filename: string | undefined;
  readonly bytes: AsyncIterable<Buffer>;
}

/** The most bytes of the headers of a part. */
const headersLimit = 8192;

/** The boundary that a Content-Type names, null for other types than multipart/form-data. INVALID_INPUT without one. */
export function boundaryOf(contentType: string | undefined): string | null {
  if (!/^multipart\/form-data *(;|$)/i.test(contentType ?? "")) return null;
  const [, quoted, bare] = /; *boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? "") ?? [];
  const boundary = quoted ?? bare ?? "";
  if (boundary.length === 0 || boundary.length > 70)
    throw invalidInput("Content-Type", "must name a boundary of 1 to 70 characters.");
  return boundary;
}

/**
 * The parts of a body. Throws INVALID_INPUT when it is not multipart/form-data, or was cut off, and
 * UNSUPPORTED_MEDIA_TYPE for a part in another charset than UTF-8: texts are kept and served as UTF-8.
 */
export async function* partsOf(body: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part> {
  const input = new Input(body);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  for await (const _ of input.before(delimiter)); // text before the first part means nothing
  for (;;) {
    const next = await input.take(2);
    if (next === "--") return;
    if (next !== "\r\n") throw malformed("expected a line break or the end after a boundary.");
    const headers = await readText(input.before(Buffer.from("\r\n\r\n")), headersLimit, "the headers of a part");
    requireUtf8(/(?:^|\r\n)content-type:([^\r]*)/i.exec(headers)?.[1] ?? "");
    yield { ...dispositionOf(headers), bytes: input.before(delimiter) };
  }
}

/** Bytes as text in UTF-8. Throws TOO_LARGE for more than `limit` bytes. */
export async function readText(bytes: AsyncIterable<Buffer>, limit: number, what: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > limit) throw new DomainError("TOO_LARGE", `Too long: ${what} may have at most ${limit} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function malformed(message: string): DomainError {
  return new DomainError("INVALID_INPUT", `The body must be valid multipart/form-data: ${message}`);
}

/** Reads bytes from the front, as many as are asked for. */
class Input {
  readonly #source: AsyncIterator<Buffer>;
  /** Begins with a line break, so that the first delimiter is like the others. */
  #held: Buffer = Buffer.from("\r\n");

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #hold(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw malformed("it was cut off before its end.");
    this.#held = Buffer.concat([this.#held, next.value]);
  }

  #cut(size: number): Buffer {
    const cut = this.#held.subarray(0, size);
    this.#held = this.#held.subarray(size);
    return cut;
  }

  async take(size: number): Promise<string> {
    while (this.#held.length < size) await this.#hold();
    return this.#cut(size).toString("latin1");
  }

  /** Everything before a mark. The mark itself is skipped. */
  async *before(mark: Buffer): AsyncGenerator<Buffer> {
    for (let at = -1; at < 0;) {
      at = this.#held.indexOf(mark);
      // The mark may have begun in the last bytes.
      const size = at < 0 ? this.#held.length - mark.length + 1 : at;
      if (size > 0) yield this.#cut(size);
      if (at < 0) await this.#hold();
    }
    this.#cut(mark.length);
  }
}

/** The name and file name in the headers of a part. */
function dispositionOf(headers: string): Pick<Part, "name" | "filename"> {
  const line = headers.split("\r\n").find((header) => /^content-disposition: *form-data *;/i.test(header));
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, bare] of (line ?? "").matchAll(/; *([\w*]+)=(?:"((?:\\"|[^"])*)"|([^\s;]*))/g))
    parameters.set(name.toLowerCase(), quoted === undefined ? (bare ?? "") : unescaped(quoted));
  const name = parameters.get("name");
  if (name === undefined) throw malformed("a part has no name in its Content-Disposition.");
  return { name, filename: parameters.get("filename")?.replace(/^.*[/\\]/s, "") };
}

/** Browsers percent-encode three characters; some programs put a backslash before the quote. */
function unescaped(text: string): string {
  return text
    .replaceAll('\\"', '"')
    .replaceAll(/%(22|0D|0A)/gi, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
