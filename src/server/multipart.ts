// Reading multipart/form-data (RFC 7578) part by part, as it comes in. Each part is pulled by whoever reads it: so there is never more in memory than
// a piece, the caller is slowed down to the pace of the reader, and a broken body is an error right where it is read.
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

/** The boundary that a Content-Type names, or null when it is not multipart/form-data. INVALID_INPUT when there is no proper one. */
export function boundaryOf(contentType: string | undefined): string | null {
  if (!/^multipart\/form-data *(;|$)/i.test(contentType ?? "")) return null;
  const [, quoted, bare] = /; *boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? "") ?? [];
  const boundary = quoted ?? bare ?? "";
  if (boundary.length === 0 || boundary.length > 70)
    throw invalidInput("Content-Type", "must name a boundary of 1 to 70 characters.");
  return boundary;
}

/** The parts of a body. INVALID_INPUT when it is not what it says, or ends before its end. */
export async function* partsOf(body: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part> {
  const input = new Input(body);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  for await (const _ of input.before(delimiter)); // what stands in front of the first part means nothing
  for (;;) {
    const next = await input.take(2);
    if (next === "--") return;
    if (next !== "\r\n") throw malformed("a boundary is followed by neither a line break nor the end.");
    const headers = await readText(input.before(Buffer.from("\r\n\r\n")), headersLimit, "the headers of a part");
    yield { ...dispositionOf(headers), bytes: input.before(delimiter) };
  }
}

/** Bytes as text in UTF-8. TOO_LARGE for more than `limit` bytes. */
export async function readText(bytes: AsyncIterable<Buffer>, limit: number, what: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > limit) throw new DomainError("TOO_LARGE", `There must be at most ${limit} bytes in ${what}.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function malformed(message: string): DomainError {
  return new DomainError("INVALID_INPUT", `The body is no multipart/form-data: ${message}`);
}

/** Bytes that are taken from the front, as many as are wanted. */
class Input {
  readonly #source: AsyncIterator<Buffer>;
  /** Begins with a line break, so that the first delimiter is like the others. */
  #held: Buffer = Buffer.from("\r\n");

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #hold(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw malformed("it ends before its end.");
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

  /** Everything in front of a mark, which is taken away with it. */
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

/** What the headers of a part say of it. */
function dispositionOf(headers: string): Pick<Part, "name" | "filename"> {
  const line = headers.split("\r\n").find((header) => /^content-disposition: *form-data *;/i.test(header));
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, bare] of (line ?? "").matchAll(/; *([\w*]+)=(?:"((?:\\"|[^"])*)"|([^\s;]*))/g))
    parameters.set(name.toLowerCase(), quoted === undefined ? (bare ?? "") : unescaped(quoted));
  const name = parameters.get("name");
  if (name === undefined) throw malformed("a part has no name.");
  return { name, filename: parameters.get("filename")?.replace(/^.*[/\\]/s, "") };
}

/** Browsers escape three characters by percents, and some programs the quote by a backslash. */
function unescaped(text: string): string {
  return text
    .replaceAll('\\"', '"')
    .replaceAll(/%(22|0D|0A)/gi, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
