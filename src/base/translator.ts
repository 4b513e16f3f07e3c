// Engines of translations: what all of them can do, whichever it is.

/** A term in the source language. */
export interface GlossaryTerm {
  readonly term: string;
  /** Null for a term that stays as it is. */
  readonly translation: string | null;
}

/** What segments are translated with. */
export interface EngineRequest {
  /** Languages as the contract names them: `en`, `pt-br`. */
  readonly from: string;
  readonly to: string;
  /** What people want: for engines that understand it. */
  readonly instructions: string;
  /** Terms are held out by placeholders already; engines that understand it are told of them, too. */
  readonly glossary: readonly GlossaryTerm[];
  /** What the texts are part of: for engines that understand it. */
  readonly context: string;
  readonly signal: AbortSignal;
}

export interface Engine {
  /** Which one it is: translations of another one are other translations. */
  readonly name: string;
  /**
   * The translations of texts with placeholders, in the order of the texts; null where there is no answer. Throws an
   * {@link EngineError} when the engine cannot be asked, and the signal's reason.
   */
  translate(texts: readonly string[], request: EngineRequest): Promise<readonly (string | null)[]>;
}

/** The engine of this gateway, and how much of it there is. */
export interface Translator {
  readonly engine: Engine;
  /** The most words that are sent for an organization in a month. */
  readonly wordsPerMonth: number;
}

/** An engine cannot be asked, or refuses. The message says what to do, and nothing that is secret. */
export class EngineError extends Error {
  override readonly name = "EngineError";
}
