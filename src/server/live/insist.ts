// Trying again what the database has refused, when it answers.
import { DomainError } from "#src/base/errors.ts";
import type { Feed } from "#src/events/feed.ts";

/** How often something is tried: what fails each time is a bug, and no lost connection. */
const mostTries = 3;

/**
 * Does work that needs the database, again when it fails and the database answers (again). Throws the last error, and those that are answers (DomainError)
 * at once. `isLast` tells that no try will follow.
 */
export async function insist<Result>(
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
