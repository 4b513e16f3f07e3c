// GraphQL multipart requests (github.com/jaydenseric/graphql-multipart-request-spec): the operation in `operations`,
// the paths of its files in `map`, then the files, each of which is stored as it arrives, once it is known that the
// operation may have them.
// Not a library: none checks the order, paths and limits, and the token before reading.
import type { IncomingMessage } from "node:http";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { bodyCutOff, bodyLimit } from "#src/http/request-body.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { Upload } from "#src/files/upload.ts";
import { finished, Readable } from "node:stream";
import { Dicer } from "@fastify/busboy";
import { requireUtf8 } from "#src/base/charset.ts";

/** One part. Its bytes must be read to the end before the next part is requested. */
interface Part {
  readonly name: string;
  /** Set for a file; without the folders that some clients send. */
  readonly filename: string | undefined;
  readonly bytes: AsyncIterable<Buffer>;
}

const headersLimit = 8192;

/** The boundary in a Content-Type, null for other types than multipart/form-data. INVALID_INPUT without one. */
function boundaryOf(contentType: string | undefined): string | null {
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
function dispositionOf(headers: Headers): Pick<Part, "name" | "filename"> {
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
  return { name, filename: parameters.get("filename")?.replace(/^.*[/\\]/s, "") };
}

/** Browsers percent-encode three characters; some programs put a backslash before the quote. */
function unescaped(text: string): string {
  return text
    .replaceAll('\\"', '"')
    .replaceAll(/%(22|0D|0A)/gi, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const filesLimit = 10;

/** The most bytes of a request with one file besides the operation and the file. */
const aroundFile = 10_000;

type JsonObject = Readonly<Record<string, unknown>>;
type Places = ReadonlyMap<string, readonly string[]>;

export interface Receiving {
  readonly files: FileStore;
  readonly maxFileSize: number;
}

/**
 * Starts to receive a multipart request, up to its files; null for any other. The caller has already checked the token,
 * and finally drops the form. Throws TOO_LARGE for more than {@link bodyLimit} bytes of operation and for files that
 * are too large by the length of the request, and INVALID_INPUT for violations of the specification, for a batch of
 * operations, and if the body is truncated.
 */
export async function receiveForm(request: IncomingMessage, { maxFileSize }: Receiving): Promise<UploadForm | null> {
  const boundary = boundaryOf(request.headers["content-type"]);
  if (boundary === null) return null;
  const length = Number(request.headers["content-length"] ?? 0);
  // Besides the files there are the two fields, and some lines for each part.
  if (length > filesLimit * maxFileSize + 3 * bodyLimit)
    throw new DomainError("TOO_LARGE", `A request may contain at most ${filesLimit} files of ${maxFileSize} bytes.`);
  const parts = partsOf(request, boundary);
  try {
    const operations = await readField(parts, "operations");
    const map = await readField(parts, "map");
    const operation = parse("operations", operations);
    const places = placesOf(map, operation);
    const others = Buffer.byteLength(operations + map) + aroundFile;
    const leastBytes = places.size === 1 ? Math.max(0, length - others) : 0;
    if (leastBytes > maxFileSize) throw new DomainError("TOO_LARGE", `A file must not exceed ${maxFileSize} bytes.`);
    return new UploadForm(operation, places, parts, leastBytes);
  } catch (error) {
    await parts.return(undefined);
    throw error;
  }
}

/** A multipart request whose operation was received, and whose files were not. */
export class UploadForm {
  /** The parameters of the operation, with null in place of files. */
  readonly operation: JsonObject;
  readonly #places: Places;
  readonly #parts: AsyncGenerator<Part>;
  /** Keyed by the names of their parts. */
  readonly #uploads: ReadonlyMap<string, Upload>;

  /** Each file has at least `leastBytes`. */
  constructor(operation: JsonObject, places: Places, parts: AsyncGenerator<Part>, leastBytes: number) {
    this.operation = operation;
    this.#places = places;
    this.#parts = parts;
    this.#uploads = new Map([...places.keys()].map((name) => [name, new Upload(leastBytes)]));
  }

  /** Puts the files, which may still be missing, at their paths in the variables of the operation. */
  placeIn(variables: JsonObject): void {
    for (const [name, paths] of this.#places)
      for (const path of paths)
        Object.assign(emptyPlace({ variables }, path), { [nameAt(path)]: this.#uploads.get(name) });
  }

  /** Throws TOO_LARGE for long files, INVALID_INPUT for violations, for unused files, and if truncated. */
  async receive({ files, maxFileSize }: Receiving): Promise<void> {
    for (const [name, { isWanted }] of this.#uploads)
      if (!isWanted)
        throw invalidInput("map", `has the file "${name}" at a path where the operation does not accept a file.`);
    const missing = new Set(this.#uploads.keys());
    for await (const { name, filename, bytes } of this.#parts) {
      const upload = this.#uploads.get(name);
      if (filename === undefined || !upload) throw invalidInput(name, "must be the name of a file in `map`.");
      if (!missing.delete(name)) throw invalidInput(name, "must be unique: two parts have this name.");
      upload.take(filename, await files.receive(bytes, maxFileSize));
    }
    const [first] = missing;
    if (first !== undefined) throw invalidInput(first, "is in `map`, but no part with this name was sent.");
  }

  /** Deletes the files that were not kept, and drops the rest of the body. */
  async drop(): Promise<void> {
    await this.#parts.return(undefined);
    await Promise.all([...this.#uploads.values()].map((upload) => upload.drop()));
  }
}

async function readField(parts: AsyncGenerator<Part>, name: string): Promise<string> {
  const next = await parts.next();
  if (next.done || next.value.name !== name || next.value.filename !== undefined)
    throw invalidInput(
      name,
      "is missing or at the wrong position: send `operations` first, then `map`, then the files.",
    );
  return readText(next.value.bytes, bodyLimit, `\`${name}\``);
}

/** The paths of each file by the name of its part. INVALID_INPUT unless each path is that of a null variable. */
function placesOf(map: string, operation: JsonObject): Places {
  const places = new Map<string, readonly string[]>();
  const taken = new Set<string>();
  for (const [name, paths] of Object.entries(parse("map", map))) {
    if (!isTexts(paths)) throw invalidInput("map", "must contain a list of paths for each file.");
    for (const path of paths) {
      emptyPlace(operation, path);
      if (taken.has(path)) throw invalidInput("map", `has the path "${path}" twice; each path takes one file.`);
      taken.add(path);
    }
    places.set(name, paths);
  }
  if (places.size > filesLimit) throw invalidInput("map", `must name at most ${filesLimit} files.`);
  return places;
}

function parse(field: string, text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && !Array.isArray(value)) return value;
  } catch {
    // rejected below
  }
  throw invalidInput(field, "must be a JSON object; batches of operations are not supported.");
}

/** The object or list that has a null at the end of the path. */
function emptyPlace(operation: JsonObject, path: string): JsonObject {
  const names = path.split(".");
  let around: unknown = names[0] === "variables" ? operation : null;
  for (const name of names.slice(0, -1)) around = isObject(around) && Object.hasOwn(around, name) ? around[name] : null;
  const name = nameAt(path);
  if (names.length < 2 || !isObject(around) || !Object.hasOwn(around, name) || around[name] !== null)
    throw invalidInput("map", `has the path "${path}", which is not a null in the variables.`);
  return around;
}

const nameAt = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");
