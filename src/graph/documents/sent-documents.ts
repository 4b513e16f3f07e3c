// Documents as callers send them: as text, by the id of a trusted one, or by the SHA-256 of one that was sent before
// (Apollo's protocol of automatic persisted queries, APQ, or `documentId` of GraphQL over HTTP). Trusted documents come
// from manifests; sent ones are kept in memory, and in the store that gateways share.
import { hash } from "node:crypto";
import type { RequestCode } from "#src/base/errors.ts";
import { isRecord } from "#src/base/json.ts";
import type { Refusal } from "#src/graph/run/documents.ts";
import { requestError } from "#src/graph/run/errors.ts";
import { cacheOf } from "#src/runtime/cache-budget.ts";
import type { PromiseOrValue } from "#src/runtime/waiting.ts";

export interface DocumentSent {
  readonly query?: string | undefined;
  readonly documentId?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface FoundDocument {
  readonly text: string;
  /** Stores it, once it has turned out to be valid and allowed for the caller. */
  readonly keep: () => void;
}

/** The documents that gateways share, by SHA-256. While it is unreachable it has none. */
export interface SharedTexts {
  /** Never rejects. */
  find(key: string): Promise<string | null>;
  /** Stores soon, without waiting. */
  keep(key: string, text: string): void;
  close(): void;
}

/** The documents of manifests by their ids, and each by `sha256:` and its SHA-256, too. */
export type TrustedDocuments = ReadonlyMap<string, string>;

export interface SentDocumentsOptions {
  readonly trusted?: TrustedDocuments | undefined;
  /** Whether only trusted documents are accepted. */
  readonly trustedOnly?: boolean;
  readonly shared?: SharedTexts | undefined;
}

/** The SHA-256 of a document, in lower-case hexadecimal digits. */
export const hashOf = (text: string): string => hash("sha256", text);

const hashPrefix = "sha256:";

/** Finds the documents of requests, on every transport. */
export class SentDocuments {
  readonly #trusted: TrustedDocuments;
  readonly #trustedOnly: boolean;
  /** Keyed by SHA-256, limited to the last used ones. */
  readonly #persisted = cacheOf<string, string>("persisted queries", 8, (text) => 2 * text.length + 200);
  readonly #shared: SharedTexts | undefined;

  constructor({ trusted = new Map(), trustedOnly = false, shared }: SentDocumentsOptions = {}) {
    this.#trusted = trusted;
    this.#trustedOnly = trustedOnly;
    this.#shared = shared;
  }

  /**
   * The document of a request. Rejects an unknown id, upon which clients of persisted queries send the document with
   * it, a hash that does not match the document, and, if only trusted documents are accepted, all others.
   */
  find(sent: DocumentSent): PromiseOrValue<FoundDocument | Refusal> {
    const text = sent.query || undefined; // on a WebSocket always present, though maybe empty
    const named = nameOf(sent);
    if (named === null) {
      const isTaken = !this.#trustedOnly || (text !== undefined && this.#trusted.has(hashPrefix + hashOf(text)));
      return isTaken ? { text: text ?? "", keep: nothing } : refusals.notTrusted;
    }
    if (!("ids" in named)) return named;
    const trusted = named.ids.map((id) => this.#trusted.get(id)).find((one) => one !== undefined);
    if (trusted !== undefined && (text ?? trusted) === trusted) return { text: trusted, keep: nothing };
    if (this.#trustedOnly) return refusals.notTrusted;
    const [id] = named.ids;
    if (!id.startsWith(hashPrefix)) return named.unknown;
    const key = id.slice(hashPrefix.length);
    if (text !== undefined && hashOf(text) !== key) return refusals.mismatch;
    const take = (found: string | null) =>
      found === null ? named.unknown : { text: found, keep: () => this.#keep(key, found) };
    return text === undefined ? this.#findPersisted(key).then(take) : take(text);
  }

  async #findPersisted(key: string): Promise<string | null> {
    const known = this.#persisted.get(key);
    if (known !== undefined) return known;
    if (!this.#shared || !/^[0-9a-f]{64}$/.test(key)) return null;
    const text = await this.#shared.find(key);
    // Documents from the shared store are verified by their hash.
    return text !== null && hashOf(text) === key ? text : null;
  }

  #keep(key: string, text: string): void {
    if (this.#persisted.get(key) !== undefined) return;
    this.#persisted.keep(key, text);
    this.#shared?.keep(key, text);
  }

  /** Stops sharing the documents of clients. */
  close(): void {
    this.#shared?.close();
  }
}

const nothing = () => {};

export const namesDocument = ({ query, documentId, extensions }: DocumentSent): boolean =>
  query !== undefined || documentId != null || extensions?.["persistedQuery"] != null;

/** The identifier of a document, and the error if it is unknown. */
interface Named {
  /** The id; Apollo's clients send those of manifests in place of a hash. */
  readonly ids: readonly [id: string, ...others: string[]];
  readonly unknown: Refusal;
}

/** The id in a request; null without one. */
function nameOf({ documentId, extensions }: DocumentSent): Named | Refusal | null {
  if (documentId !== undefined && documentId !== null)
    return typeof documentId === "string" ? { ids: [documentId], unknown: refusals.unknownId } : refusals.badId;
  const persisted = extensions?.["persistedQuery"];
  if (persisted === undefined || persisted === null) return null;
  const { version, sha256Hash } = isRecord(persisted) ? persisted : {};
  if (version !== 1 || typeof sha256Hash !== "string") return refusals.notSupported;
  return { ids: [hashPrefix + sha256Hash.toLowerCase(), sha256Hash], unknown: refusals.notFound };
}

const refusal = (message: string, code: RequestCode): Refusal => [requestError(message, code)];

/** Clients recognize the first two by their messages. */
const refusals = {
  notFound: refusal("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND"),
  notSupported: refusal("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED"),
  unknownId: refusal("No document with this documentId is registered.", "PERSISTED_DOCUMENT_NOT_FOUND"),
  notTrusted: refusal(
    "Only documents of the manifests in TRUSTED_DOCUMENTS_FILES are accepted: send the documentId of one.",
    "DOCUMENT_NOT_TRUSTED",
  ),
  badId: refusal("documentId must be a string.", "BAD_REQUEST"),
  mismatch: refusal("The SHA-256 does not match the query.", "BAD_REQUEST"),
};
