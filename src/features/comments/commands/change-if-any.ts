// Changes that may turn out to change nothing, such as a reaction that is there already: those leave no event.
import { type Action, change, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import type { DomainEvent } from "#src/events/event.ts";

/** Thrown to end a transaction that has nothing to write. */
class Unchanged extends Error {}

/** As {@link change}, but `body` answers what happened, which may be nothing. */
export async function changeIfAny<Subject>(
  context: Context,
  action: Action<Subject>,
  subject: Subject,
  body: (transaction: Transaction) => Promise<readonly DomainEvent[]>,
): Promise<void> {
  try {
    await change(context, action, subject, async (transaction) => {
      const [first, ...others] = await body(transaction);
      if (!first) throw new Unchanged();
      return { result: null, events: [first, ...others] };
    });
  } catch (error) {
    if (!(error instanceof Unchanged)) throw error;
  }
}
