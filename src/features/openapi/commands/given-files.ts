// The files of a specification that was uploaded as a document, or as a ZIP archive of several.
import { buffer } from "node:stream/consumers";
import { DomainError } from "#src/base/errors.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import { openZip } from "#src/features/imports/commands/zip.ts";
import { ImportFiles } from "#src/features/imports/model/files.ts";
import { inMemory, type OpenImport } from "#src/features/imports/model/open-import.ts";
import { type FileSource, SourceError } from "#src/features/openapi/commands/read-source.ts";
import type { MissingFile } from "#src/features/openapi/model/bundle.ts";
import { describeFault } from "#src/features/openapi/model/fault.ts";
import { specLimits } from "#src/features/openapi/model/limits.ts";
import type { SpecFile } from "#src/features/openapi/model/process.ts";
import type { FileStore } from "#src/files/file-store.ts";

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

  async next({ address, from }: MissingFile, maxBytes: number): Promise<SpecFile> {
    const isElsewhere = !address.startsWith(root);
    const path = isElsewhere ? null : percentDecoded(address.slice(root.length));
    const found = path === null ? null : await this.#read(path, maxBytes);
    if (found) return found;
    const message = isElsewhere
      ? `${address} is somewhere else: that is followed only where a specification comes from an address.`
      : `There is no file ${path ?? address}.`;
    throw new SourceError("PARSE_ERROR", describeFault(message, from));
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

/** The first file of the specification: the one with a usual name that is least deep. */
function entryOf(paths: readonly string[]): string | undefined {
  const depth = (path: string) => path.split("/").length;
  const isUsual = (path: string) => /(?:^|\/)(?:openapi|swagger)\.(?:ya?ml|json)$/i.test(path);
  return paths.filter(isUsual).toSorted((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1))[0];
}
