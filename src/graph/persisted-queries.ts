// Persisted queries: a client sends the SHA-256 of a document that it has sent before instead of the document, by
// Apollo's protocol of automatic persisted queries (APQ).
import { hash } from "node:crypto";
import { GraphQLError } from "graphql";
import { BoundedMap } from "#src/base/bounded-map.ts";
import { isRecord } from "#src/base/json.ts";
import type { Refusal } from "#src/graph/documents.ts";

/** How many bytes of memory the documents may take together, more or less. */
const room = 8 * 1024 * 1024;

/** What a request says of its document: the text, its hash in `extensions.persistedQuery`, or both. */
export interface DocumentSent {
  readonly query?: string | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The documents that clients have sent with their hashes, within bounds: the last used stay. */
export class PersistedQueries {
  readonly #texts = new BoundedMap<string, string>(room, (text) => 2 * text.length + 200);

  /**
   * The document that a request means. `keep` remembers it, for when it has turned out to be valid. Refuses a hash that
   * is not known, on which clients send the document with it, and one that is not of the document.
   */
  find({ query, extensions }: DocumentSent): { readonly text: string; readonly keep: () => void } | Refusal {
    const persisted = extensions?.["persistedQuery"];
    if (persisted === undefined || persisted === null) return { text: query ?? "", keep: () => {} };
    const { version, sha256Hash } = isRecord(persisted) ? persisted : {};
    if (version !== 1 || typeof sha256Hash !== "string") return refusals.notSupported;
    const key = sha256Hash.toLowerCase();
    if (query !== undefined)
      return hash("sha256", query) === key
        ? { text: query, keep: () => this.#texts.keep(key, query) }
        : refusals.mismatch;
    const text = this.#texts.get(key);
    return text === undefined ? refusals.notFound : { text, keep: () => {} };
  }
}

const refusal = (message: string, code: string): Refusal => [new GraphQLError(message, { extensions: { code } })];

/** Clients know the first two by their messages. */
const refusals = {
  notFound: refusal("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND"),
  notSupported: refusal("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED"),
  mismatch: refusal("The SHA-256 in extensions.persistedQuery is not that of the query.", "BAD_REQUEST"),
};
