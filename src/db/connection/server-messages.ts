// Checks of the bytes that a PostgreSQL server sends: `pg` trusts them, and throws, waits or loops at invalid ones.
import pg from "pg";

/** The most bytes of a message, and of the rows of a result. */
export const mostMessageBytes = 256 * 1024 * 1024;

/** The bytes are not those of PostgreSQL's protocol. The message starts like that of `pg` for lost connections. */
export class CorruptStreamError extends Error {
  override readonly name = "CorruptStreamError";

  constructor(problem: string, cause?: unknown) {
    super(`Connection terminated: the database sent ${problem}`, { cause });
  }
}

/** The error of a failed read of a message: a CorruptStreamError for one beyond its bytes, others as they are. */
export const corruptionIn = (error: unknown): Error =>
  error instanceof RangeError ? new CorruptStreamError("a message that is too short", error) : (error as Error);

/** For each code of a message the length that it always has; `anyLength` for others, 0 if a server does not send it. */
export const exactLengths = new Uint8Array(256);
export const anyLength = 1;
for (const code of "RKSvNEATtDCGHWdV") exactLengths[code.charCodeAt(0)] = anyLength;
for (const code of "123ncIs") exactLengths[code.charCodeAt(0)] = 4;
exactLengths["Z".charCodeAt(0)] = 5;

/** The error of a message with a code or a length that PostgreSQL does not send. */
export const invalidHeader = (code: number, length: number): CorruptStreamError =>
  exactLengths[code] === 0 ? unexpected(code) : new CorruptStreamError(`a message of ${length} bytes`);

const unexpected = (code: number): CorruptStreamError =>
  new CorruptStreamError(`an unexpected ${JSON.stringify(String.fromCharCode(code))}`);

/** Text up to a zero byte, and the position after it. Throws without a zero byte. */
function readText(body: Buffer, start: number): { readonly text: string; readonly next: number } {
  const end = body.indexOf(0, start);
  if (end < 0) throw new CorruptStreamError("a message that ends within a text");
  return { text: body.toString("utf8", start, end), next: end + 1 };
}

/** The name and the type of each column in a RowDescription. Throws for another message. */
export function readColumns(body: Buffer): { readonly name: string; readonly oid: number }[] {
  let at = 2;
  return Array.from({ length: body.readUInt16BE(0) }, () => {
    const { text: name, next } = readText(body, at);
    at = next + 18; // table and its column before the oid, sizes and format behind it
    if (at > body.length) throw new CorruptStreamError("a message that ends within a column");
    return { name, oid: body.readUInt32BE(next + 6) };
  });
}

/** Codes of the fields of an ErrorResponse, each with the name that `pg` gives it. */
const errorFields = (
  "S severity C code D detail H hint P position p internalPosition q internalQuery W where s schema t table c column " +
  "d dataType n constraint F file L line R routine"
).matchAll(/(\w) (\w+)/g);
const fieldNames = Array.from(errorFields, ([, code = "", name = ""]) => [code, name] as const);

/** The error in an ErrorResponse or NoticeResponse, as `pg` makes it. Throws for another message. */
export function readError(body: Buffer): pg.DatabaseError {
  const fields = new Map<string, string>();
  for (let at = 0; body[at] !== 0;) {
    const { text, next } = readText(body, at); // the code and the value
    fields.set(text.slice(0, 1), text.slice(1));
    at = next;
  }
  const error = new pg.DatabaseError(fields.get("M") ?? "", body.length + 4, "error");
  return Object.assign(error, Object.fromEntries(fieldNames.map(([code, name]) => [name, fields.get(code)])));
}

const [errorCode, noticeCode, columnsCode, rowCode] = [0x45, 0x4e, 0x54, 0x44];
const [boundCode, endCode, readyCode] = [0x32, 0x43, 0x5a];

/** Follows the messages in a stream of bytes, split and joined anywhere, before they are parsed. */
class MessageGuard {
  /** The bytes of a message that is not complete, and how many it has at least. */
  #parts: Buffer[] = [];
  #size = 0;
  #needed = 0;
  /** The number of columns of the rows that follow; -1 if none may follow. */
  #width = -1;
  /** Whether a statement has ended since the server was ready: a bound one is the only one; `pg` takes two for two. */
  #hasEnded = false;
  #isBound = false;

  /** Throws if the bytes do not continue the stream. One loop without calls, since all statements of `pg` pass it. */
  check(chunk: Buffer): void {
    const bytes = this.#needed > 0 ? this.#join(chunk) : chunk;
    if (bytes === null) return;
    let [at, end] = [0, 5];
    for (; end <= bytes.length; end = at + 5) {
      const code = bytes[at] ?? 0;
      const length = bytes.readInt32BE(at + 1);
      const exact = exactLengths[code];
      if (length < 4 || length > mostMessageBytes || (exact !== anyLength && length !== exact))
        throw invalidHeader(code, length);
      end = at + 1 + length;
      if (end > bytes.length) break;
      if (code === rowCode) refuseRow(bytes, at + 5, end, this.#width);
      else if (code === columnsCode) this.#width = bytes.readUInt16BE(at + 5);
      else if (code === errorCode || code === noticeCode) readError(bytes.subarray(at + 5, end));
      else if (code === boundCode || code === endCode) {
        if (this.#hasEnded && (code === boundCode || this.#isBound)) throw unexpected(code);
        this.#isBound ||= code === boundCode;
        this.#hasEnded = code === endCode;
        this.#width = -1;
      } else if (code === readyCode) this.#hasEnded = this.#isBound = false;
      at = end;
    }
    this.#needed = at < bytes.length ? end - at : 0;
    this.#size = bytes.length - at;
    if (this.#needed > 0) this.#parts.push(bytes.subarray(at));
  }

  /** The bytes since the start of the incomplete message; null while more are missing. */
  #join(chunk: Buffer): Buffer | null {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    return this.#size < this.#needed ? null : Buffer.concat(this.#parts.splice(0), this.#size);
  }
}

/** Throws unless the bytes are a row of `width` values; always if that is negative. */
function refuseRow(bytes: Buffer, start: number, end: number, width: number): void {
  if (end < start + 2 || bytes.readUInt16BE(start) !== width)
    throw new CorruptStreamError("a row that does not match its columns");
  let at = start + 2;
  for (let value = 0; value < width; value++) {
    const length = at + 4 > end ? -2 : bytes.readInt32BE(at);
    if (length < -1) throw new CorruptStreamError("a row that ends before its values");
    at += 4 + Math.max(length, 0);
  }
  if (at !== end) throw new CorruptStreamError("a row whose length does not match its values");
}

/** Destroys the connection of a client at bytes that are not messages. Call it before the client connects. */
export function guardMessages({ connection, ssl }: pg.Client): void {
  connection.once(ssl ? "sslconnect" : "connect", () => {
    const { stream } = connection; // after "sslconnect" another one
    const listeners = stream.listeners("data"); // the parser of `pg`
    const guard = new MessageGuard();
    stream.removeAllListeners("data");
    stream.on("data", (bytes: Buffer) => {
      if (stream.destroyed) return;
      try {
        guard.check(bytes);
        for (const parse of listeners) parse(bytes);
      } catch (error) {
        const isOurs = error instanceof CorruptStreamError;
        stream.destroy(isOurs ? error : new CorruptStreamError("a message that cannot be parsed", error));
      }
    });
  });
}
