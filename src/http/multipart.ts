// The parts of multipart/form-data, read one after the other as they arrive, of GraphQL uploads and of forms of pages.
import { finished, Readable } from "node:stream";
import { Dicer } from "@fastify/busboy";
import { requireUtf8 } from "#src/base/charset.ts";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { bodyCutOff } from "#src/http/request-body.ts";

/** One part. Its bytes must be read to the end before the next part is requested. */
export interface Part {
  readonly name: string;
  /** Set for a file; without the folders that some clients send. */
  readonly filename: string | undefined;
  /** The same with its folders, separated by slashes: browsers send them for the files of a chosen folder. */
  readonly path: string | undefined;
  readonly bytes: AsyncIterable<Buffer>;
}

const headersLimit = 8192;

/** The boundary in a Content-Type, null for other types than multipart/form-data. INVALID_INPUT without one. */
export function boundaryOf(contentType: string | undefined): string | null {
  if (!/^multipart\/form-data *(;|$)/i.test(contentType ?? "")) return null;
  const [, quoted, bare] = /; *boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? "") ?? [];
  const boundary = quoted ?? bare ?? "";
  if (boundary.length === 0 || boundary.length > 70)
    throw invalidInput("Content-Type", "must have a boundary of 1 to 70 characters.");
  return boundary;
}

type Headers = Readonly<Record<string, readonly string[]>>;

/**
 * The parts of a body, until `return` is called: the rest is dropped then, so that the connection stays usable. Throws
 * INVALID_INPUT if it is not multipart/form-data, or is truncated, TOO_LARGE for a part with long headers, and
 * UNSUPPORTED_MEDIA_TYPE for one in another charset than UTF-8: texts are stored and served as UTF-8. The reader of a
 * part pulls its bytes: so there is never more in memory than a chunk, and the client is slowed down to that pace. The
 * parser is Dicer, inside `@fastify/busboy`: Busboy itself hides the charset of a part, and cuts long headers without
 * an error.
 */
export async function* partsOf(body: Readable, boundary: string): AsyncGenerator<Part> {
  const config = { boundary, maxHeaderSize: 2 * headersLimit }; // it drops bytes beyond that
  const dicer = new Dicer(config);
  const found = new Readable({ objectMode: true, read() {} });
  let last: Readable | undefined;
  const fail = (error: Error) => {
    last?.destroy(error); // otherwise its reader would wait for ever
    found.destroy(faultOf(error));
  };
  dicer.on("part", (part) => {
    last = part.on("error", () => {}); // the reader gets the error
    part.on("header", (headers) => found.push([headers, part]));
  });
  dicer.on("finish", () => found.push(null)).on("error", fail);
  const forget = finished(body, { writable: false }, (error) => error && fail(bodyCutOff()));
  body.pipe(dicer);
  try {
    for await (const [headers, part] of found as AsyncIterable<[Headers, Readable]>)
      yield { ...dispositionOf(headers), bytes: bytesOf(part) };
  } finally {
    forget();
    body.unpipe(dicer).resume();
  }
}

async function* bytesOf(part: Readable): AsyncGenerator<Buffer> {
  try {
    yield* part as AsyncIterable<Buffer>;
    part._read(0); // Dicer may have stopped at the last bytes of the part, and only this resumes it
  } catch (error) {
    throw faultOf(error);
  }
}

const faultOf = (error: unknown): DomainError =>
  error instanceof DomainError ? error : malformed("the body ended before the closing boundary.");

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

/** The name and file name in the headers of a part, which Dicer returns in Latin-1. */
function dispositionOf(headers: Headers): Omit<Part, "bytes"> {
  const lines = Object.entries(headers).flatMap(([name, values]) => values.map((value) => `${name}: ${value}\r\n`));
  if (lines.join("").length > headersLimit)
    throw new DomainError("TOO_LARGE", `Too long: the headers of a part may have at most ${headersLimit} bytes.`);
  requireUtf8(headers["content-type"]?.[0] ?? "");
  const line = Buffer.from(headers["content-disposition"]?.[0] ?? "", "latin1").toString("utf8");
  const parameters = new Map<string, string>();
  if (/^ *form-data *;/i.test(line))
    for (const [, name = "", quoted, bare] of line.matchAll(/; *([\w*]+)=(?:"((?:\\"|[^"])*)"|([^\s;]*))/g))
      parameters.set(name.toLowerCase(), quoted === undefined ? (bare ?? "") : unescaped(quoted));
  const name = parameters.get("name");
  if (name === undefined) throw malformed("a part must have a name in its Content-Disposition.");
  const path = parameters.get("filename")?.replaceAll("\\", "/");
  return { name, path, filename: path?.slice(path.lastIndexOf("/") + 1) };
}

/** Browsers percent-encode three characters; some programs put a backslash before the quote. */
function unescaped(text: string): string {
  return text
    .replaceAll('\\"', '"')
    .replaceAll(/%(22|0D|0A)/gi, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
