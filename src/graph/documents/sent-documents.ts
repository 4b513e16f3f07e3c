// Documents as callers name them: by their text, by the id of a trusted one, or by the SHA-256 of one that was sent
// before (Apollo's protocol of automatic persisted queries, APQ, or `documentId` of GraphQL over HTTP).
import type { RequestCode } from "#src/base/errors.ts";
import { isRecord } from "#src/base/json.ts";
import type { Refusal } from "#src/graph/run/documents.ts";
import { requestError } from "#src/graph/run/errors.ts";
import { hashOf, PersistedQueries, type SharedTexts } from "#src/graph/documents/persisted-queries.ts";
import type { TrustedDocuments } from "#src/graph/documents/trusted-documents.ts";

/** What a request says of its document: the text, an id of it, or both. */
export interface DocumentSent {
  readonly query?: string | undefined;
  readonly documentId?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The document that a request means. */
export interface FoundDocument {
  readonly text: string;
  /** Remembers it, for when it has turned out to be valid, and that the caller may ask for it. */
  readonly keep: () => void;
}

/** Which documents are taken beside what is sent, and where gateways share what they were sent. */
export interface SentDocumentsOptions {
  readonly trusted?: TrustedDocuments | undefined;
  /** Whether no other documents are taken than the trusted ones. */
  readonly trustedOnly?: boolean;
  readonly shared?: SharedTexts | undefined;
}

/** Finds the documents of requests, on every transport. */
export class SentDocuments {
  readonly #trusted: TrustedDocuments | undefined;
  readonly #trustedOnly: boolean;
  readonly #persisted: PersistedQueries;

  constructor({ trusted, trustedOnly = false, shared }: SentDocumentsOptions = {}) {
    this.#trusted = trusted;
    this.#trustedOnly = trustedOnly;
    this.#persisted = new PersistedQueries(shared);
  }

  /**
   * The document that a request means. Refuses an id that is not known, on which clients of persisted queries send the
   * document with it, a hash that is not that of the document beside it, and, where only trusted documents are taken,
   * all others.
   */
  async find(sent: DocumentSent): Promise<FoundDocument | Refusal> {
    const text = sent.query || undefined; // on a WebSocket there always is one, if only an empty one
    const named = nameOf(sent);
    if (named !== null && !("ids" in named)) return named;
    const trusted = this.#findTrusted(text, named);
    if (trusted !== undefined) return { text: trusted, keep: nothing };
    if (this.#trustedOnly) return refusals.notTrusted;
    return named === null ? { text: text ?? "", keep: nothing } : this.#findPersisted(text, named);
  }

  #findTrusted(text: string | undefined, named: Named | null): string | undefined {
    if (named === null) return this.#trustedOnly && text !== undefined && this.#trusted?.has(text) ? text : undefined;
    const known = named.ids.map((id) => this.#trusted?.find(id)).find((one) => one !== undefined);
    return text === undefined || text === known ? known : undefined;
  }

  async #findPersisted(text: string | undefined, { ids: [id], unknown }: Named): Promise<FoundDocument | Refusal> {
    if (!id.startsWith("sha256:")) return unknown;
    const key = id.slice("sha256:".length);
    if (text !== undefined && hashOf(text) !== key) return refusals.mismatch;
    const found = text ?? (await this.#persisted.find(key));
    return found === null ? unknown : { text: found, keep: () => this.#persisted.keep(key, found) };
  }

  /** Shares no more what clients send. */
  close(): void {
    this.#persisted.close();
  }
}

const nothing = () => {};

/** Whether a request names a document at all. */
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
  return { ids: [`sha256:${sha256Hash.toLowerCase()}`, sha256Hash], unknown: refusals.notFound };
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
