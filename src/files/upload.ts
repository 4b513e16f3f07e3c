// A file that comes with a request: what the scalar Upload holds.
import type { ReceivedBlob } from "#src/files/file-store.ts";

/** A file of a multipart request, received and not kept yet. A class, so that no JSON value can pass as one. */
export class Upload {
  /** As the client says it. */
  readonly name: string;
  readonly blob: ReceivedBlob;

  constructor(name: string, blob: ReceivedBlob) {
    this.name = name;
    this.blob = blob;
  }
}
