// A file that comes with a request: what the scalar Upload holds.
import type { ReceivedBlob } from "#src/files/file-store.ts";

/** A file of a multipart request, received once it is allowed. A class, so that no JSON value passes as one. */
export class Upload {
  /** How many bytes it has at least, by what the request says of its length. */
  readonly leastBytes: number;
  isWanted = false;
  #came: { readonly name: string; readonly blob: ReceivedBlob } | undefined;

  constructor(leastBytes: number) {
    this.leastBytes = leastBytes;
  }

  /** It has come, under the name that the client gives it. */
  take(name: string, blob: ReceivedBlob): void {
    this.#came = { name, blob };
  }

  /** Throws away what was not kept of it. */
  async drop(): Promise<void> {
    await this.#came?.blob.drop();
  }

  get name(): string {
    return this.#file.name;
  }

  get blob(): ReceivedBlob {
    return this.#file.blob;
  }

  get #file() {
    if (!this.#came) throw new Error("The file has not come yet.");
    return this.#came;
  }
}
