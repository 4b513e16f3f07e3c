// How events show the users whom they name.
import { namedUsers } from "#src/features/users/reads.ts";
import { type EventFields, textIn } from "#src/graph/events.ts";
import { idFact } from "#src/graph/facts.ts";

/** Fields of an event that names a user, whom `what` describes, and show them. */
export const userOfEvent = (t: EventFields, what: string) => ({
  userId: idFact(t, "userId", `Id of the user: ${what}; null where none is concerned.`),
  user: t.rowOrNull(namedUsers, ({ event }) => textIn(event, "userId"), `The user as they are now: ${what}.`),
});
