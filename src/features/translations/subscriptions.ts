// The events of translations and glossaries in subscriptions.
import { project } from "#src/db/reading/entity.ts";
import { listenToOrganizations } from "#src/features/organizations/subscriptions.ts";
import { listenToSpaces, spaceOfEvent } from "#src/features/spaces/subscriptions.ts";
import {
  translationEvents,
  translationTerminalEvents,
  translationProgressEvents,
  glossaryEvents,
} from "#src/features/translations/events.ts";
import { translations, glossaryTerms } from "#src/features/translations/reads.ts";
import { Language, TranslationStatus } from "#src/features/translations/type.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { defineSubscription, extendSubscription } from "#src/graph/schema/subscriptions.ts";

const named = (t: EventFields) => ({
  ...spaceOfEvent(t),
  translationId: t.value("ID", "Id of the translation.", ({ event }) => event.subjectId),
  language: eventField(t, Language, "language", "The target language."),
});

const translationOf = (t: EventFields) => ({ ...named(t), translation: rowNow(t, translations) });

const lasting = [
  defineEvent("TranslationCreated", "The translation of a space was started.", [translationEvents.created], (t) => ({
    ...translationOf(t),
    resultSpaceId: eventIdField(t, "resultSpaceId", "Id of the translated space."),
  })),
  defineEvent(
    "TranslationSettingsChanged",
    "The settings of a translation were changed.",
    [translationEvents.updated],
    (t) => ({ ...translationOf(t), ...changesOfEvent(t) }),
  ),
  defineEvent("TranslationCompleted", "A run of a translation has succeeded.", [translationEvents.completed], (t) => ({
    ...translationOf(t),
    revisionId: eventIdField(t, "revisionId", "Id of the resulting revision of the translated space."),
    changeRequestId: eventIdField(
      t,
      "changeRequestId",
      "Id of the change request there with conflicts between changes of people and of the source; null without conflicts.",
    ),
    words: eventField(t, "Int", "words", "Number of words sent to the engine."),
    pages: eventField(t, "Int", "pages", "Number of pages translated again."),
  })),
  defineEvent("TranslationFailed", "A run of a translation has failed.", [translationEvents.failed], (t) => ({
    ...translationOf(t),
    error: eventField(t, "String", "error", "The reason, and what to do."),
  })),
  defineEvent("TranslationDeleted", "A translation was deleted.", [translationTerminalEvents.deleted], named),
];

defineSubscription({
  name: "translationEvents",
  description:
    "Sends the events of a translation, or of all translations of a space or organization: settings, progress and ends of runs. The viewer receives events of " +
    "translations of spaces on which they have a role.",
  subjects: {
    translationId: "Id of the translation.",
    spaceId: "Id of the source space.",
    organizationId: "Id of the organization.",
  },
  events: [
    ...lasting,
    defineEvent(
      "TranslationProgressed",
      "A run of a translation was scheduled, or has made progress.",
      [translationProgressEvents.progressed],
      (t) => ({
        ...translationOf(t),
        status: eventField(t, TranslationStatus, "status", "The new status."),
        pages: eventField(t, "Int", "pages", "Number of pages of the source."),
        donePages: eventField(t, "Int", "donePages", "Number of processed pages."),
      }),
    ),
  ],
  open: async ({ by, ids }, context) => {
    const [id = ""] = ids;
    if (by === "organizationId") return listenToOrganizations(context, ids);
    if (by === "spaceId") return listenToSpaces(context, ids);
    const { sourceSpaceId } = await context.reader.found(translations, id, project(["sourceSpaceId"]));
    return { ...(await listenToSpaces(context, [sourceSpaceId])), accepts: (event) => event.subjectId === id };
  },
});

const namedTerm = (t: EventFields) => ({
  glossaryTermId: t.value("ID", "Id of the term.", ({ event }) => event.subjectId),
  term: eventField(t, "String", "term", "The term after the event."),
});

const termOfEvent = (t: EventFields) => ({
  ...namedTerm(t),
  glossaryTerm: t.rowOrNull(
    glossaryTerms,
    ({ event }) => event.subjectId,
    "The term in its current state; null if it was deleted.",
  ),
});

extendSubscription("organizationEvents", [
  defineEvent(
    "GlossaryTermCreated",
    "A term was added to the glossary. Sent to members, not to guests.",
    [glossaryEvents.created],
    termOfEvent,
  ),
  defineEvent(
    "GlossaryTermChanged",
    "A term of the glossary was changed. Sent to members, not to guests.",
    [glossaryEvents.updated],
    (t) => ({ ...termOfEvent(t), ...changesOfEvent(t) }),
  ),
  defineEvent(
    "GlossaryTermDeleted",
    "A term of the glossary was deleted. Sent to members, not to guests.",
    [glossaryEvents.deleted],
    namedTerm,
  ),
]);
