// The interface of translation engines.
import type { ErrorCode } from "#src/base/errors.ts";

export interface GlossaryTerm {
  readonly term: string;
  /** Null for a term that is not translated. */
  readonly translation: string | null;
}

export interface EngineRequest {
  /** Languages as the contract names them: `en`, `pt-br`. */
  readonly from: string;
  readonly to: string;
  /** Instructions of users, for engines that understand them. */
  readonly instructions: string;
  /** Terms are replaced by placeholders; engines that support glossaries receive the glossary, too. */
  readonly glossary: readonly GlossaryTerm[];
  /** The surroundings of the texts, for engines that understand them. */
  readonly context: string;
  readonly signal: AbortSignal;
}

export interface Engine {
  /** Its name: translations of different engines are cached separately. */
  readonly name: string;
  /** Translations in the order of the texts; null if the engine returned none. Throws {@link EngineError}. */
  translate(texts: readonly string[], request: EngineRequest): Promise<readonly (string | null)[]>;
}

export interface Translator {
  readonly engine: Engine;
  /** The most words per organization and month. */
  readonly wordsPerMonth: number;
}

/** An engine failed or rejected the request. The message says what to do, without secrets. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: ErrorCode;

  /** The code is UNAVAILABLE if trying again may help. */
  constructor(message: string, code: ErrorCode = "INTEGRATION_FAILED") {
    super(message);
    this.code = code;
  }
}
