// A file of a request: the value of the scalar Upload.
import type { ReceivedBlob } from "#src/files/file-store.ts";

/** A file of a multipart request, received once it is allowed. A class, so that no JSON value passes as one. */
export class Upload {
  /** How many bytes it has at least, by the declared length of the request. */
  readonly leastBytes: number;
  isWanted = false;
  #came: { readonly name: string; readonly blob: ReceivedBlob } | undefined;

  constructor(leastBytes: number) {
    this.leastBytes = leastBytes;
  }

  /** Called with the file and its name when it has arrived. */
  take(name: string, blob: ReceivedBlob): void {
    this.#came = { name, blob };
  }

  /** Deletes what was not kept of it. */
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
    if (!this.#came) throw new Error("The file has not arrived yet.");
    return this.#came;
  }
}
