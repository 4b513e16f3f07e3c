// Reads a specification from its source, with all referenced files, and processes it in a thread.
import type { MissingFile } from "#src/features/openapi/model/bundle.ts";
import { shownText, describeFault } from "#src/features/openapi/model/fault.ts";
import type { MadeSpec, Processed, SpecFile, SpecFiles, SpecTask } from "#src/features/openapi/model/process.ts";
import type { OpenApiProcessErrorCode } from "#src/generated/prisma/enums.ts";
import { ThreadPool } from "#src/runtime/threads.ts";
import { specLimits } from "#src/features/openapi/model/limits.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import type { Fetched, SafeFetch } from "#src/net/safe-fetch.ts";
import { buffer } from "node:stream/consumers";
import { DomainError } from "#src/base/errors.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import { openZip } from "#src/features/imports/commands/zip.ts";
import { ImportFiles } from "#src/features/imports/model/files.ts";
import { inMemory, type OpenImport } from "#src/features/imports/model/open-import.ts";
import type { FileStore } from "#src/files/file-store.ts";

export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code: OpenApiProcessErrorCode;
  /** Whether the same files may be processed at another time: a busy machine was too slow. */
  readonly mayPass: boolean;

  constructor(code: OpenApiProcessErrorCode, message: string, { mayPass = false } = {}) {
    super(shownText(message, 4000));
    this.code = code;
    this.mayPass = mayPass;
  }
}

/** The headers of a file for conditional requests. */
export type Validators = { readonly etag: string | null; readonly lastModified: string | null };

/** Provides the files of a specification. Throws a {@link SourceError} for faults in them. */
interface FileSource extends AsyncDisposable {
  /** The first file of the specification; null if it has not changed since it was last fetched. */
  first(): Promise<SpecFile | null>;
  /** A file that another one refers to, or the reason why it does not exist. */
  next(missing: MissingFile, maxBytes: number): Promise<SpecFile | string>;
  /** The validators of the first file, once it was read. */
  readonly validators: Validators;
}

/** In milliseconds of CPU time: far more than any harmless specification needs. */
const defaultTimeLimit = 60_000;

const pool = new ThreadPool<SpecTask, Processed>(new URL("../model/process.ts", import.meta.url), {
  threads: 1,
  megabytes: 640,
  limitsCpu: true,
  // Much of a document is there twice, and as objects.
  needs: (tasks) => 64 + tasks.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes.length, 0) / 20_000,
});

/** Processes the files of a specification in a thread. */
export async function readSpec(
  files: SpecFiles,
  timeLimit: number = defaultTimeLimit,
  absent: SpecTask["absent"] = new Map(),
): Promise<Processed | { readonly fault: string; readonly isLate: true }> {
  const { answers, ended } = await pool.run([{ files, absent }], timeLimit);
  const { name } = files[0];
  if (ended === "out of time") return { fault: `${name}: Reading it takes too long.`, isLate: true };
  return answers[0] ?? { fault: `${name}: Reading it takes too much memory.` };
}

/** Processes a specification, and reads the files that it refers to. Throws a {@link SourceError} for its faults. */
export async function readFrom(source: FileSource, first: SpecFile): Promise<{ made: MadeSpec; files: SpecFiles }> {
  const files: [SpecFile, ...SpecFile[]] = [first];
  const absent = new Map<string, string>();
  for (let round = 1; round <= specLimits.rounds; round += 1) {
    const processed = await readSpec(files, defaultTimeLimit, absent);
    if ("fault" in processed) throw new SourceError("PARSE_ERROR", processed.fault, { mayPass: "isLate" in processed });
    if ("made" in processed) return { made: processed.made, files };
    for (const missing of processed.missing) {
      if (files.length >= specLimits.files)
        throw new SourceError("PARSE_ERROR", `A specification may have at most ${specLimits.files} files.`);
      const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
      const next = await source.next(missing, specLimits.bytes - size);
      if (typeof next === "string") absent.set(missing.address, next);
      else files.push(next);
    }
  }
  throw new SourceError(
    "PARSE_ERROR",
    `References between its files are nested more than ${specLimits.rounds} levels deep.`,
  );
}

const timeoutMs = 30_000;

const accept = "application/json, application/yaml, application/vnd.oai.openapi, text/yaml, text/plain, */*;q=0.5";

/** The request of the first file is conditional on the validators in `known`. */
export class FetchedFiles implements FileSource {
  readonly #fetch: SafeFetch;
  readonly #url: string;
  readonly #signal: AbortSignal;
  validators: Validators;

  constructor(
    { fetch, signal }: { fetch: SafeFetch; signal: AbortSignal },
    { url, known }: { url: string; known: Validators },
  ) {
    this.#fetch = fetch;
    this.#signal = signal;
    this.#url = url;
    this.validators = known;
  }

  async first(): Promise<SpecFile | null> {
    const { etag, lastModified } = this.validators;
    const condition = {
      ...(etag !== null && { "if-none-match": etag }),
      ...(lastModified !== null && { "if-modified-since": lastModified }),
    };
    const answer = await this.#request(this.#url, this.#url, { maxBytes: specLimits.bytes, condition });
    if (answer.status === 304) return null;
    const { headers, url: base, body: bytes } = answer;
    this.validators = { etag: headers.get("etag"), lastModified: headers.get("last-modified") };
    return { address: this.#url, base, name: this.#nameOf(this.#url).replace(/\?.*$/s, "") || "openapi", bytes };
  }

  async next({ address, from }: MissingFile, maxBytes: number): Promise<SpecFile> {
    const { url: base, body: bytes } = await this.#request(address, describeFault(address, from), { maxBytes });
    return { address, base, name: this.#nameOf(address), bytes };
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** The path below the folder of the first file; the whole address elsewhere. */
  #nameOf(address: string): string {
    const folder = new URL(".", this.#url).href;
    return address.startsWith(folder) ? address.slice(folder.length) : address;
  }

  async #request(
    address: string,
    what: string,
    { maxBytes, condition = {} }: { maxBytes: number; condition?: Record<string, string> },
  ): Promise<Fetched> {
    const headers = { accept, ...condition };
    const answer = await this.#fetch(address, { headers, timeoutMs, maxBytes, signal: this.#signal }).catch(
      (error: unknown) => {
        if (!(error instanceof FetchError)) throw error;
        const { problem, message } = error;
        throw new SourceError(problem === "time" ? "FETCH_TIMEOUT" : "FETCH_ERROR", `${what}: ${message}.`);
      },
    );
    const isUnchanged = answer.status === 304 && Object.keys(condition).length > 0;
    if (answer.status === 200 || isUnchanged) return answer;
    throw new SourceError("FETCH_ERROR", `${what}: the server returned ${answer.status}.`);
  }
}

/** The base of the addresses of files in archives. */
const root = "archive:///";

/** Opens an uploaded blob. Throws a {@link SourceError} for an archive that cannot be read. */
export async function openGivenFiles(files: FileStore, blob: string): Promise<FileSource> {
  const stream = await files.open(blob);
  if (!stream) throw new Error(`The source ${blob} is not in the store`);
  const bytes = await buffer(stream);
  if (bytes.subarray(0, 2).toString("latin1") === "PK") return new GivenFiles(await openZip(bytes).catch(refuse));
  const name = bytes.subarray(0, 100).toString().trimStart().startsWith("{") ? "openapi.json" : "openapi.yaml";
  return new GivenFiles(inMemory(ImportFiles.of([[name, bytes]])));
}

class GivenFiles implements FileSource {
  readonly validators = { etag: null, lastModified: null };
  readonly #given: OpenImport;

  constructor(given: OpenImport) {
    this.#given = given;
  }

  async first(): Promise<SpecFile> {
    const path = entryOf([...this.#given.files.paths]);
    const found = path === undefined ? null : await this.#read(path, specLimits.bytes);
    if (found) return found;
    throw new SourceError("PARSE_ERROR", "The archive has no openapi.yaml, openapi.yml, openapi.json or swagger.json.");
  }

  async next({ address }: MissingFile, maxBytes: number): Promise<SpecFile | string> {
    const isElsewhere = !address.startsWith(root);
    const path = isElsewhere ? null : percentDecoded(address.slice(root.length));
    const found = path === null ? null : await this.#read(path, maxBytes);
    if (found) return found;
    return isElsewhere
      ? `${address} is an external address: such references are followed only in specifications that are fetched from an address.`
      : `The file ${path ?? address} does not exist.`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#given[Symbol.asyncDispose]();
  }

  async #read(path: string, maxBytes: number): Promise<SpecFile | null> {
    const file = this.#given.files.get(path.normalize("NFC"));
    if (!file) return null;
    if (file.size > maxBytes) throw new SourceError("PARSE_ERROR", `It has more than ${specLimits.bytes} bytes.`);
    const address = new URL(file.path.split("/").map(encodeURIComponent).join("/"), root).href;
    return { address, base: address, name: file.path, bytes: await file.read().catch(refuse) };
  }
}

/** Rethrows the faults of archives as faults of the specification. */
function refuse(error: unknown): never {
  throw error instanceof DomainError ? new SourceError("PARSE_ERROR", error.message) : error;
}

/** The first file of the specification: the one with a standard name at the lowest depth. */
function entryOf(paths: readonly string[]): string | undefined {
  const depth = (path: string) => path.split("/").length;
  const isUsual = (path: string) => /(?:^|\/)(?:openapi|swagger)\.(?:ya?ml|json)$/i.test(path);
  return paths.filter(isUsual).toSorted((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1))[0];
}
