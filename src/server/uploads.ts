// GraphQL multipart requests (github.com/jaydenseric/graphql-multipart-request-spec): the operation in `operations`,
// the paths of its files in `map`, then the files, each of which goes to the store as it comes in.
import type { IncomingMessage } from "node:http";
import { finished, PassThrough } from "node:stream";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { bodyCutOff, bodyLimit } from "#src/server/request-body.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { Upload } from "#src/files/upload.ts";
import { boundaryOf, type Part, partsOf, readText } from "#src/server/multipart.ts";

/** The most files of one request. */
const filesLimit = 10;

type JsonObject = Readonly<Record<string, unknown>>;

/** The paths of each file by the name of its part. */
type Places = ReadonlyMap<string, readonly string[]>;

/** An operation with files. */
export interface UploadForm {
  /** The JSON of the operation, with null in the places of files. */
  readonly operations: string;
  /** Puts the files into their places in the variables of the operation. */
  placeIn(variables: JsonObject): void;
  /** Throws away the files that were not kept. */
  drop(): Promise<void>;
}

/**
 * Receives a multipart request; null for any other. The caller has checked the token before, and drops the form in the
 * end.
 *
 * Throws TOO_LARGE for a file of more than `maxFileSize` bytes and for more than {@link bodyLimit} bytes of operation,
 * INVALID_INPUT for what the specification does not allow, for a batch of operations, and when the body is cut off.
 * Then nothing is left of the files.
 */
export async function receiveForm(
  request: IncomingMessage,
  { files, maxFileSize }: { files: FileStore; maxFileSize: number },
): Promise<UploadForm | null> {
  const boundary = boundaryOf(request.headers["content-type"]);
  if (boundary === null) return null;
  // Besides the files there are the two fields, and some lines for each part.
  if (Number(request.headers["content-length"] ?? 0) > filesLimit * maxFileSize + 3 * bodyLimit)
    throw new DomainError("TOO_LARGE", `A request carries at most ${filesLimit} files of ${maxFileSize} bytes.`);
  const body = readBytes(request);
  const uploads = new Map<string, Upload>();
  const drop = async () => {
    await Promise.all([...uploads.values()].map(({ blob }) => blob.drop()));
  };
  try {
    const parts = partsOf(body.bytes, boundary);
    const operations = await readField(parts, "operations");
    const places = placesOf(await readField(parts, "map"), operations);
    for await (const { name, filename, bytes } of parts) {
      if (filename === undefined || !places.has(name)) throw invalidInput(name, "is not the name of a file in `map`.");
      if (uploads.has(name)) throw invalidInput(name, "is the name of two parts; each part needs its own.");
      uploads.set(name, new Upload(filename, await files.receive(bytes, maxFileSize)));
    }
    const missing = [...places.keys()].find((name) => !uploads.has(name));
    if (missing !== undefined) throw invalidInput(missing, "is in `map`, but no part with this name was sent.");
    return { operations, drop, placeIn: (variables) => place(uploads, places, variables) };
  } catch (error) {
    await drop();
    throw error;
  } finally {
    body.stop();
  }
}

/** Puts the files into variables, each at the paths that `map` names. */
function place(uploads: ReadonlyMap<string, Upload>, places: Places, variables: JsonObject): void {
  for (const [name, paths] of places)
    for (const path of paths) Object.assign(emptyPlace({ variables }, path), { [nameAt(path)]: uploads.get(name) });
}

/**
 * The bytes of a request, until `stop` is called: the rest is thrown away then, so that an answer can be sent and the
 * connection stays usable.
 */
function readBytes(request: IncomingMessage): { bytes: AsyncIterable<Buffer>; stop(): void } {
  const bytes = new PassThrough();
  const forget = finished(request, (error) => {
    if (error) bytes.destroy(bodyCutOff());
  });
  request.pipe(bytes);
  return {
    bytes,
    stop() {
      forget();
      request.unpipe(bytes).resume();
      bytes.destroy();
    },
  };
}

/** The next part, which must be a field of this name. */
async function readField(parts: AsyncGenerator<Part>, name: string): Promise<string> {
  const next = await parts.next();
  if (next.done || next.value.name !== name || next.value.filename !== undefined)
    throw invalidInput(name, "is missing or at the wrong place: send `operations` first, then `map`, then the files.");
  return readText(next.value.bytes, bodyLimit, `\`${name}\``);
}

/** The paths of each file by the name of its part. INVALID_INPUT unless each path is that of a null variable. */
function placesOf(map: string, operations: string): Places {
  const operation = parse("operations", operations);
  const places = new Map<string, readonly string[]>();
  const taken = new Set<string>();
  for (const [name, paths] of Object.entries(parse("map", map))) {
    if (!isTexts(paths)) throw invalidInput("map", "must hold a list of paths for each file.");
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
    // refused below
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
    throw invalidInput("map", `has the path "${path}", which is not that of a null in the variables.`);
  return around;
}

const nameAt = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");
