// The interface of translation engines.

export interface GlossaryTerm {
  readonly term: string;
  /** Null for a term that stays as it is. */
  readonly translation: string | null;
}

export interface EngineRequest {
  /** Languages as the contract names them: `en`, `pt-br`. */
  readonly from: string;
  readonly to: string;
  /** Instructions of users, for engines that understand them. */
  readonly instructions: string;
  /** Terms are replaced by placeholders; engines that understand a glossary get it, too. */
  readonly glossary: readonly GlossaryTerm[];
  /** The surroundings of the texts, for engines that understand them. */
  readonly context: string;
  readonly signal: AbortSignal;
}

export interface Engine {
  /** Its name: translations of different engines are kept apart. */
  readonly name: string;
  /** Translations in order; null for none. Throws {@link EngineError} and the signal's reason. */
  translate(texts: readonly string[], request: EngineRequest): Promise<readonly (string | null)[]>;
}

export interface Translator {
  readonly engine: Engine;
  /** The most words of an organization in a month. */
  readonly wordsPerMonth: number;
}

/** An engine failed or refused. The message says what to do, without secrets. */
export class EngineError extends Error {
  override readonly name = "EngineError";
}
