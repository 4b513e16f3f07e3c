// The subscription events of OpenAPI specifications.
import { isMember } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { audienceOf } from "#src/events/declared.ts";
import { specEvents, specTerminalEvents, specProgressEvents } from "#src/features/openapi/events.ts";
import { openApiSpecs, openApiSpecVersions } from "#src/features/openapi/reads/specs.ts";
import { OpenApiProcessErrorCode, OpenApiProcessingState } from "#src/features/openapi/type/specification.ts";
import { listenToOrganizations } from "#src/features/organizations/subscriptions.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { defineSubscription, extendSubscription, type Listening } from "#src/graph/schema/subscriptions.ts";

async function requireMembership(context: Context, id: string): Promise<string> {
  const { organizationId } = await context.reader.found(openApiSpecs, id, project(["organizationId"]));
  if (isMember(context.viewer, organizationId)) return organizationId;
  throw new DomainError(
    "FORBIDDEN",
    "Only members of the organization of a specification may subscribe to its events.",
  );
}

/** Subscribes to a specification: for members of its organization. NOT_FOUND or FORBIDDEN for all others. */
async function listenToSpec(context: Context, id: string): Promise<Listening> {
  const organizationId = await requireMembership(context, id);
  return {
    scope: { by: "organizationId", ids: [organizationId] },
    accepts: (event) => event.subjectId === id,
    check: async (present) => void (await requireMembership(present, id)),
    isProven: ({ type }) => audienceOf(type) === "members",
  };
}

const named = (t: EventFields) => ({
  openApiSpecId: t.value("ID", "Id of the specification.", ({ event }) => event.subjectId),
  slug: eventField(t, "String", "slug", "Slug."),
});

const specOf = (t: EventFields) => ({ ...named(t), openApiSpec: rowNow(t, openApiSpecs) });

const errorCode = (t: EventFields, description: string) => ({
  errorCode: eventField(t, OpenApiProcessErrorCode, "errorCode", description),
});

const lasting = [
  defineEvent("OpenApiSpecCreated", "An OpenAPI specification was added.", [specEvents.created], (t) => ({
    ...specOf(t),
    sourceURL: eventField(t, "String", "sourceURL", "Address of the source at that time; null for a text or file."),
  })),
  defineEvent(
    "OpenApiSpecSettingsChanged",
    "The source or the visibility of an OpenAPI specification was changed.",
    [specEvents.updated],
    (t) => ({ ...specOf(t), ...changesOfEvent(t) }),
  ),
  defineEvent(
    "OpenApiSpecVersionAdded",
    "An OpenAPI specification has a new version.",
    [specEvents.versionAdded],
    (t) => ({
      ...specOf(t),
      versionId: eventIdField(t, "versionId", "Id of the version."),
      version: t.rowOrNull(
        openApiSpecVersions,
        ({ event }) => textIn(event, "versionId"),
        "The version; null if it was deleted.",
      ),
      number: eventField(t, "Int", "number", "Version number."),
    }),
  ),
  defineEvent(
    "OpenApiSpecFailed",
    "The source of an OpenAPI specification could not be processed; sent once until the next success.",
    [specEvents.failed],
    (t) => ({ ...specOf(t), ...errorCode(t, "Why.") }),
  ),
  defineEvent("OpenApiSpecDeleted", "An OpenAPI specification was deleted.", [specTerminalEvents.deleted], named),
];

defineSubscription({
  name: "openApiEvents",
  description:
    "Sends the events of an OpenAPI specification, or of all specifications of an organization: new versions, errors, settings, and progress. " +
    "For members of the organization, not for guests.",
  subjects: { openApiSpecId: "Id of the specification.", organizationId: "Id of the organization." },
  events: [
    ...lasting,
    defineEvent(
      "OpenApiSpecProgressed",
      "The processing of the source of an OpenAPI specification was queued or started.",
      [specProgressEvents.progressed],
      (t) => ({ ...specOf(t), state: eventField(t, OpenApiProcessingState, "state", "The new state.") }),
    ),
    defineEvent(
      "OpenApiSpecProcessed",
      "The source of an OpenAPI specification was processed.",
      [specProgressEvents.processed],
      (t) => ({
        ...specOf(t),
        ...errorCode(t, "The error; null for success."),
        versionId: eventIdField(t, "versionId", "Id of the new version; null without one."),
      }),
    ),
  ],
  open: ({ by, ids: [id = ""] }, context) =>
    by === "openApiSpecId" ? listenToSpec(context, id) : listenToOrganizations(context, [id]),
});

extendSubscription("organizationEvents", lasting);
