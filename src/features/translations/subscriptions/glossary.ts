// What subscriptions deliver of the glossary of an organization.
import { glossaryEvents } from "#src/features/translations/events.ts";
import { glossaryTerms } from "#src/features/translations/reads.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const named = (t: EventFields) => ({
  glossaryTermId: t.value("ID", "Id of the term.", ({ event }) => event.subjectId),
  term: eventField(t, "String", "term", "The term from then on."),
});

const termOfEvent = (t: EventFields) => ({
  ...named(t),
  glossaryTerm: t.rowOrNull(
    glossaryTerms,
    ({ event }) => event.subjectId,
    "The term as it is now; null when it has been deleted.",
  ),
});

extendSubscription("organizationEvents", [
  defineEvent(
    "GlossaryTermCreated",
    "A term was added to the glossary. Told to members, who are no guests.",
    [glossaryEvents.created],
    termOfEvent,
  ),
  defineEvent(
    "GlossaryTermChanged",
    "A term of the glossary was changed. Told to members, who are no guests.",
    [glossaryEvents.updated],
    (t) => ({ ...termOfEvent(t), ...changesOfEvent(t) }),
  ),
  defineEvent(
    "GlossaryTermDeleted",
    "A term of the glossary was deleted. Told to members, who are no guests.",
    [glossaryEvents.deleted],
    named,
  ),
]);
