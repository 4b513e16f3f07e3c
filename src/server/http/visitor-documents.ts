// Documents without an API token: they are parsed if they may ask for fields that are open to visitors. Those that are
// refused are limited in rate, since parsing them is work that is charged to no one.
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { quotaOf } from "#src/domain/cost.ts";
import { Rate } from "#src/domain/rate.ts";
import type { Refusal } from "#src/graph/run/documents.ts";
import { type Executor, isOperation, type Operation } from "#src/graph/run/execute.ts";

/** Refused documents of one client in a minute; further ones are not parsed. */
const refused = {
  name: "refused documents",
  most: 60,
  what: "Send an API token: without one, documents of one client may be refused",
};

/** See the head of this file. */
export class VisitorDocuments {
  readonly #executor: Executor;
  /** Finds the name of an open field, wherever it is in a text. */
  readonly #openName: RegExp;

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
    const client = quotaOf(context)?.user ?? "";
    const rate = context.costQuotas && !this.#executor.knows(text) ? new Rate(context.costQuotas, refused) : null;
    await rate?.take(client);
    const operation = this.#executor.prepare(text, operationName);
    if (!isOperation(operation)) return operation;
    if (operation.openness === "closed") throw new DomainError("UNAUTHENTICATED");
    await rate?.giveBack(client);
    return operation;
  }
}
