// GraphQL multipart requests (github.com/jaydenseric/graphql-multipart-request-spec): the operation in `operations`, the places of its files in `map`,
// then the files, each of which goes to the store as it comes in.
import type { IncomingMessage } from "node:http";
import { finished, PassThrough } from "node:stream";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { bodyLimit } from "#src/base/request-body.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { Upload } from "#src/files/upload.ts";
import { boundaryOf, type Part, partsOf, readText } from "#src/server/multipart.ts";

/** The most files of one request. */
const filesLimit = 10;

type JsonObject = Readonly<Record<string, unknown>>;

/** An operation that came with files. */
export interface UploadForm {
  /** The JSON of the operation, with null in the places of files. */
  readonly operations: string;
  /** Puts the files into their places in the variables of the operation. */
  placeIn(variables: JsonObject): void;
  /** Throws away the files that were not kept. */
  drop(): Promise<void>;
}

/**
 * Receives a multipart request; null for any other. Whoever calls it has made sure of who is asking, and drops the form in the end.
 *
 * Throws TOO_LARGE for a file of more than `maxFileSize` bytes and for more than {@link bodyLimit} bytes of operation, INVALID_INPUT for what the
 * specification does not allow, for a batch of operations, and when the caller stops in the middle. Then nothing is left of the files.
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
    for await (const part of parts) {
      const { name, filename, bytes } = part;
      if (filename === undefined || !places.has(name) || uploads.has(name))
        throw invalidInput(name, "is no file that `map` names, or comes twice.");
      uploads.set(name, new Upload(filename, await files.receive(bytes, maxFileSize)));
    }
    const missing = [...places.keys()].find((name) => !uploads.has(name));
    if (missing !== undefined) throw invalidInput(missing, "is in `map`, but there is no such file.");
    return {
      operations,
      drop,
      placeIn(variables) {
        for (const [name, paths] of places)
          for (const path of paths)
            Object.assign(emptyPlace({ variables }, path), { [nameAt(path)]: uploads.get(name) });
      },
    };
  } catch (error) {
    await drop();
    throw error;
  } finally {
    body.stop();
  }
}

/** The bytes of a request, until it is stopped: what is left then is thrown away, so that an answer can be sent and the connection stays usable. */
function readBytes(request: IncomingMessage): { bytes: AsyncIterable<Buffer>; stop(): void } {
  const bytes = new PassThrough();
  const forget = finished(request, (error) => {
    if (error) bytes.destroy(new DomainError("INVALID_INPUT", "The body ends before its end."));
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
    throw invalidInput(name, "must be a field in its place: first `operations`, then `map`, then the files.");
  return readText(next.value.bytes, bodyLimit, `\`${name}\``);
}

/** The paths of each file by the name of its part. INVALID_INPUT for what leads to no null in the variables. */
function placesOf(map: string, operations: string): ReadonlyMap<string, readonly string[]> {
  const operation = parse("operations", operations);
  const places = new Map<string, readonly string[]>();
  const taken = new Set<string>();
  for (const [name, paths] of Object.entries(parse("map", map))) {
    if (!isTexts(paths)) throw invalidInput("map", "must hold a list of paths for each file.");
    for (const path of paths) {
      emptyPlace(operation, path);
      if (taken.has(path)) throw invalidInput("map", `must not lead to a place twice, and "${path}" does.`);
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
    // told below
  }
  throw invalidInput(field, "must be a JSON object; batches of operations are not taken.");
}

/** The object or list around the null that a path leads to. */
function emptyPlace(operation: JsonObject, path: string): JsonObject {
  const names = path.split(".");
  let around: unknown = names[0] === "variables" ? operation : null;
  for (const name of names.slice(0, -1)) around = isObject(around) && Object.hasOwn(around, name) ? around[name] : null;
  const name = nameAt(path);
  if (names.length < 2 || !isObject(around) || !Object.hasOwn(around, name) || around[name] !== null)
    throw invalidInput("map", `must lead to nulls in the variables, and "${path}" does not.`);
  return around;
}

const nameAt = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");
