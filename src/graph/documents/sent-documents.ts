// Documents as callers name them: by their text, by the id of a trusted one, or by the SHA-256 of one that was sent
// before (Apollo's protocol of automatic persisted queries, APQ, or `documentId` of GraphQL over HTTP). Trusted
// documents are those of manifests; sent ones are kept in memory, and beside it where gateways share them.
import { hash } from "node:crypto";
import type { RequestCode } from "#src/base/errors.ts";
import { isRecord } from "#src/base/json.ts";
import type { Refusal } from "#src/graph/run/documents.ts";
import { requestError } from "#src/graph/run/errors.ts";
import { cacheOf } from "#src/runtime/cache-budget.ts";

export interface DocumentSent {
  readonly query?: string | undefined;
  readonly documentId?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface FoundDocument {
  readonly text: string;
  /** Remembers it, for when it has turned out to be valid, and that the caller may ask for it. */
  readonly keep: () => void;
}

/** Where gateways share documents, by the SHA-256. It may be away: then it knows none. */
export interface SharedTexts {
  /** Never rejects. */
  find(key: string): Promise<string | null>;
  /** Soon, and without waiting for it. */
  keep(key: string, text: string): void;
  close(): void;
}

/** The documents of manifests by their ids, and each by `sha256:` and its SHA-256, too. */
export type TrustedDocuments = ReadonlyMap<string, string>;

export interface SentDocumentsOptions {
  readonly trusted?: TrustedDocuments | undefined;
  /** Whether no other documents are taken than the trusted ones. */
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
  /** By the SHA-256, within bounds: the last used stay. */
  readonly #persisted = cacheOf<string, string>("persisted queries", 8, (text) => 2 * text.length + 200);
  readonly #shared: SharedTexts | undefined;

  constructor({ trusted = new Map(), trustedOnly = false, shared }: SentDocumentsOptions = {}) {
    this.#trusted = trusted;
    this.#trustedOnly = trustedOnly;
    this.#shared = shared;
  }

  /**
   * The document that a request means. Refuses an id that is not known, on which clients of persisted queries send the
   * document with it, a hash that is not that of the document beside it, and, where only trusted documents are taken,
   * all others.
   */
  async find(sent: DocumentSent): Promise<FoundDocument | Refusal> {
    const text = sent.query || undefined; // on a WebSocket there always is one, if only an empty one
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
    const found = text ?? (await this.#findPersisted(key));
    return found === null ? named.unknown : { text: found, keep: () => this.#keep(key, found) };
  }

  async #findPersisted(key: string): Promise<string | null> {
    const known = this.#persisted.get(key);
    if (known !== undefined) return known;
    if (!this.#shared || !/^[0-9a-f]{64}$/.test(key)) return null;
    const text = await this.#shared.find(key);
    // What others keep is not taken for what it says it is.
    return text !== null && hashOf(text) === key ? text : null;
  }

  #keep(key: string, text: string): void {
    if (this.#persisted.get(key) !== undefined) return;
    this.#persisted.keep(key, text);
    this.#shared?.keep(key, text);
  }

  /** Shares no more what clients send. */
  close(): void {
    this.#shared?.close();
  }
}

const nothing = () => {};

export const namesDocument = ({ query, documentId, extensions }: DocumentSent): boolean =>
  query !== undefined || documentId != null || extensions?.["persistedQuery"] != null;

/** What names a document, and the refusal where nobody knows it. */
interface Named {
  /** The id; Apollo's clients send those of manifests in the place of a hash. */
  readonly ids: readonly [id: string, ...others: string[]];
  readonly unknown: Refusal;
}

/** The id in a request; null where it has none. */
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

/** Clients know the first two by their messages. */
const refusals = {
  notFound: refusal("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND"),
  notSupported: refusal("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED"),
  unknownId: refusal("There is no document with this documentId.", "PERSISTED_DOCUMENT_NOT_FOUND"),
  notTrusted: refusal(
    "Only documents of the manifests in TRUSTED_DOCUMENTS_FILES are taken here: name one by its documentId.",
    "DOCUMENT_NOT_TRUSTED",
  ),
  badId: refusal("documentId must be a string.", "BAD_REQUEST"),
  mismatch: refusal("The SHA-256 that names the document is not that of the query.", "BAD_REQUEST"),
};
