// Persisted queries: documents that clients have sent with their SHA-256, by which they name them from then on. They
// are kept in memory, and beside it where gateways share them.
import { hash } from "node:crypto";
import { cacheOf } from "#src/runtime/cache-budget.ts";

/** Where gateways share documents, by the SHA-256. It may be away: then it knows none. */
export interface SharedTexts {
  /** Never rejects. */
  find(key: string): Promise<string | null>;
  /** Soon, and without waiting for it. */
  keep(key: string, text: string): void;
  close(): void;
}

/** Shared with nobody. */
const alone: SharedTexts = { find: () => Promise.resolve(null), keep() {}, close() {} };

/** The SHA-256 of a document, in lower-case hexadecimal digits. */
export const hashOf = (text: string): string => hash("sha256", text);

/** The documents that clients have sent with their hashes, within bounds: the last used stay. */
export class PersistedQueries {
  readonly #texts = cacheOf<string, string>("persisted queries", 8, (text) => 2 * text.length + 200);
  readonly #shared: SharedTexts;

  constructor(shared: SharedTexts = alone) {
    this.#shared = shared;
  }

  /** The document with this hash; null where nobody has sent it. */
  async find(key: string): Promise<string | null> {
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    if (!/^[0-9a-f]{64}$/.test(key)) return null;
    const shared = await this.#shared.find(key);
    // What others keep is not taken for what it says it is.
    return shared !== null && hashOf(shared) === key ? shared : null;
  }

  /** Remembers a document, for when it has turned out to be valid, and that the caller may ask for it. */
  keep(key: string, text: string): void {
    if (this.#texts.get(key) !== undefined) return;
    this.#texts.keep(key, text);
    this.#shared.keep(key, text);
  }

  /** Shares no more. */
  close(): void {
    this.#shared.close();
  }
}
