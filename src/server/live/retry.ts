// Trying again what failed in the database, as soon as the database answers.
import { DomainError } from "#src/base/errors.ts";
import type { Feed } from "#src/events/event-log.ts";

/** How often something is tried: what fails each time is a bug, not a lost connection. */
const mostTries = 3;

/**
 * Does work that needs the database, again when it fails and the database answers (again). Throws the last error; a
 * DomainError, which is an answer, at once. `isLast` says that no further try will follow.
 */
export async function withRetry<Result>(
  feed: Pick<Feed, "answered">,
  work: (isLast: boolean) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries === mostTries);
    } catch (error) {
      if (error instanceof DomainError || tries === mostTries) throw error;
      await feed.answered();
    }
  }
}
