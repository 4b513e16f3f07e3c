// Trusted documents: those that the builds of frontends have listed in manifests, by their ids.
import type { Executor } from "#src/graph/run/execute.ts";
import { DocumentsError } from "#src/graph/documents/documents-error.ts";
import { type ManifestEntry, problemsOf } from "#src/graph/documents/manifests.ts";
import { hashOf } from "#src/graph/documents/persisted-queries.ts";

/** The documents of manifests: each has its id there, and its SHA-256. */
export class TrustedDocuments {
  readonly #texts = new Map<string, string>();

  /** Throws {@link DocumentsError} where a document is not valid, or where two have the same id. */
  constructor(entries: readonly ManifestEntry[], executor: Executor) {
    const problems = problemsOf(entries, executor);
    const places = new Map<string, string>();
    for (const { id, text, place } of entries) {
      if ((this.#texts.get(id) ?? text) !== text)
        problems.push(`${place}: the id "${id}" is that of another document in ${places.get(id)}`);
      places.set(id, place);
      this.#texts.set(id, text).set(`sha256:${hashOf(text)}`, text);
    }
    if (problems.length > 0) throw new DocumentsError(problems.join("\n"));
  }

  /** The document with this id. */
  find(id: string): string | undefined {
    return this.#texts.get(id);
  }

  /** Whether a text is that of a document. */
  has(text: string): boolean {
    return this.#texts.has(`sha256:${hashOf(text)}`);
  }
}
