// GraphQL multipart requests (github.com/jaydenseric/graphql-multipart-request-spec): the operation in `operations`,
// the paths of its files in `map`, then the files, each of which is stored as it arrives, once it is known that the
// operation may have them.
// Not a library: none checks the order, paths and limits, and the token before reading.
import type { IncomingMessage } from "node:http";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { boundaryOf, type Part, partsOf, readText } from "#src/http/multipart.ts";
import { bodyLimit } from "#src/http/request-body.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { Upload } from "#src/files/upload.ts";

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
