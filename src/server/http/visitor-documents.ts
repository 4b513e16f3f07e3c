// Documents that come without an API token: they are parsed where they may ask for what is open to visitors, and those
// that are refused are limited in rate, since parsing them is work that nobody pays for.
import { RateLimiterMemory } from "rate-limiter-flexible";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { accountOf } from "#src/domain/cost.ts";
import type { Refusal } from "#src/graph/run/documents.ts";
import { type Executor, isOperation, type Operation } from "#src/graph/run/execute.ts";

/** Refused documents of one client in a minute; further ones are not parsed. */
const mostRefused = 60;

const tooManyRefused = `At most ${mostRefused} documents a minute may be refused without an API token: send a token, or wait a minute.`;

/** See the head of this file. */
export class VisitorDocuments {
  readonly #executor: Executor;
  /** Finds the name of an open field, wherever it is in a text. */
  readonly #openName: RegExp;
  readonly #refused = new RateLimiterMemory({ points: mostRefused, duration: 60 });

  constructor(executor: Executor) {
    this.#executor = executor;
    this.#openName = new RegExp(`\\b(?:${[...executor.openFields].join("|")})\\b`);
  }

  /**
   * The operation of a document that asks for something open, or the errors of one that names it. Throws
   * UNAUTHENTICATED for any other, and RATE_LIMITED for a client of whom too many were refused, unless it is known
   * already, as those of other visitors behind the same address are.
   */
  async prepare(context: Context, text: string, operationName?: string | null): Promise<Operation | Refusal> {
    if (!this.#openName.test(text)) throw new DomainError("UNAUTHENTICATED");
    const client = accountOf(context)?.user ?? "";
    const isNew = !this.#executor.knows(text);
    if (isNew && !(await this.#mayBeRefused(client))) throw new DomainError("RATE_LIMITED", tooManyRefused);
    const operation = this.#executor.prepare(text, operationName);
    if (!isOperation(operation)) return operation;
    if (operation.openness === "closed") throw new DomainError("UNAUTHENTICATED");
    if (isNew) await this.#refused.reward(client);
    return operation;
  }

  /** Counts a document as refused. */
  #mayBeRefused(client: string): Promise<boolean> {
    return this.#refused.consume(client).then(
      () => true,
      () => false,
    );
  }
}
