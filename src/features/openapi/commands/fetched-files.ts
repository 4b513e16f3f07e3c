// Fetches the files of a specification from its address, with the files that they refer to.
import { type FileSource, SourceError, type Validators } from "#src/features/openapi/commands/read-source.ts";
import type { MissingFile } from "#src/features/openapi/model/bundle.ts";
import { describeFault } from "#src/features/openapi/model/fault.ts";
import { specLimits } from "#src/features/openapi/model/limits.ts";
import type { SpecFile } from "#src/features/openapi/model/process.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import type { Fetched, SafeFetch } from "#src/net/safe-fetch.ts";

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
    throw new SourceError("FETCH_ERROR", `${what}: the server answers ${answer.status}.`);
  }
}
