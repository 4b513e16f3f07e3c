// The scripts and images that are published with an integration: received, checked, and kept with the rows that name
// them.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import type { Transaction } from "#src/domain/change.ts";
import { defineBlobColumns, lockBlobs } from "#src/features/content/commands/blobs.ts";
import { svgFault } from "#src/features/integrations/model/manifest/svg.ts";
import { contentTypeOf } from "#src/files/content-type.ts";
import type { FileStore, ReceivedBlob } from "#src/files/file-store.ts";

/** In bytes; `previews` is the number of preview images. */
export const publishedLimits = { script: 1_000_000, icon: 256_000, preview: 1_000_000, previews: 8 } as const;

/** Received bytes, which are dropped unless they are kept. */
export class ReceivedBlobs implements Disposable {
  readonly #files: FileStore;
  readonly #blobs: ReceivedBlob[] = [];

  constructor(files: FileStore) {
    this.#files = files;
  }

  /** Receives bytes, and returns their hash. */
  async add(bytes: Buffer): Promise<string> {
    const blob = await this.#files.receive([bytes], bytes.length);
    this.#blobs.push(blob);
    return blob.hash;
  }

  /** Keeps the bytes in the transaction that writes their hashes. */
  async keep(transaction: Transaction): Promise<void> {
    const hashes = this.#blobs.map(({ hash }) => hash);
    await lockBlobs(transaction, hashes);
    for (const blob of this.#blobs) await blob.keep();
  }

  [Symbol.dispose](): void {
    for (const blob of this.#blobs) void blob.drop();
  }
}

/** The bytes of a script. TOO_LARGE beyond the limit, INVALID_INPUT for an empty one. */
export function scriptBytes(script: string): Buffer {
  if (script.trim() === "") throw invalidInput("script", "must not be empty.");
  const bytes = Buffer.from(script);
  if (bytes.length <= publishedLimits.script) return bytes;
  throw new DomainError("TOO_LARGE", `A script must have at most ${publishedLimits.script} bytes.`);
}

const types: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp", "image/svg+xml"]);

/** An image from base64. INVALID_INPUT for other files, beyond `most` bytes, and for SVG that is not plain. */
export function imageBytes(path: string, base64: string, most: number): Buffer {
  const isBase64 = base64.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
  if (!isBase64) throw invalidInput(path, "must be an image in base64.");
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > most) throw invalidInput(path, `must have at most ${most} bytes, and has ${bytes.length}.`);
  const type = contentTypeOf(bytes, "");
  if (!types.has(type)) throw invalidInput(path, "must be a PNG, JPEG, WebP or SVG image.");
  const fault = type === "image/svg+xml" ? svgFault(bytes.toString()) : null;
  if (fault !== null) throw invalidInput(path, `must be a plain SVG: ${fault}`);
  return bytes;
}

defineBlobColumns(
  { table: "IntegrationVersion", column: "script" },
  { table: "Integration", column: "blobs", isList: true },
);
