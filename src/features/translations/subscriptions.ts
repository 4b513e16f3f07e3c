// The events of translations and glossaries in subscriptions.
import { project } from "#src/db/reading/entity.ts";
import { listenToOrganizations } from "#src/features/organizations/subscriptions.ts";
import { listenToSpaces, spaceOfEvent } from "#src/features/spaces/subscriptions.ts";
import {
  translationEvents,
  translationFarewellEvents,
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
  language: eventField(t, Language, "language", "The language that it is translated into."),
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
  defineEvent("TranslationCompleted", "A run of a translation has ended well.", [translationEvents.completed], (t) => ({
    ...translationOf(t),
    revisionId: eventIdField(t, "revisionId", "Id of the revision of the translated space then."),
    changeRequestId: eventIdField(
      t,
      "changeRequestId",
      "Id of the change request there with what people had changed, and the source, too; null for none.",
    ),
    words: eventField(t, "Int", "words", "Words that were sent to the engine."),
    pages: eventField(t, "Int", "pages", "Pages that were translated again."),
  })),
  defineEvent("TranslationFailed", "A run of a translation has failed.", [translationEvents.failed], (t) => ({
    ...translationOf(t),
    error: eventField(t, "String", "error", "Why, and what to do."),
  })),
  defineEvent("TranslationDeleted", "A translation was deleted.", [translationFarewellEvents.deleted], named),
];

defineSubscription({
  name: "translationEvents",
  description:
    "Sends what happens to a translation, or to all of a space or an organization: settings, how far the runs are, and how they end. Each hears of the " +
    "translations of spaces that they have a role on.",
  subjects: {
    translationId: "Id of the translation.",
    spaceId: "Id of the space that is translated.",
    organizationId: "Id of the organization.",
  },
  events: [
    ...lasting,
    defineEvent(
      "TranslationProgressed",
      "A translation is to be run, or its run is further than before.",
      [translationProgressEvents.progressed],
      (t) => ({
        ...translationOf(t),
        status: eventField(t, TranslationStatus, "status", "Its state from then on."),
        pages: eventField(t, "Int", "pages", "Pages of the source."),
        donePages: eventField(t, "Int", "donePages", "Those of them that the run was done with."),
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
  term: eventField(t, "String", "term", "The term from then on."),
});

const termOfEvent = (t: EventFields) => ({
  ...namedTerm(t),
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
    namedTerm,
  ),
]);
