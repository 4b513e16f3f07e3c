// What subscriptions deliver of spaces, and how a subscription listens to a space or to an organization.
import { DomainError } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { spaceEvents } from "#src/features/spaces/events.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { builder } from "#src/graph/builder.ts";
import { defineEvent, type EventFields } from "#src/graph/events.ts";
import { defineSubscription, type Listening } from "#src/graph/subscriptions.ts";

const access = want(["isAccessible"]);

async function canHear(context: Context, spaceId: string): Promise<boolean> {
  return (await context.reader.row(spaces, spaceId, access))?.isAccessible ?? false;
}

/** Listens to what happens in a space: for those with a role on it. */
export function listenToSpace(spaceId: string): Listening {
  return {
    scope: { spaceId },
    async check(context) {
      const { isAccessible } = await context.reader.found(spaces, spaceId, access);
      if (!isAccessible) throw new DomainError("FORBIDDEN", "You need a role on a space to subscribe to its events.");
    },
  };
}

/** Listens to an organization: for its members and guests, each to the spaces that they have a role on. */
export function listenToOrganization(organizationId: string): Listening {
  return {
    scope: { organizationId },
    async check(context) {
      await context.reader.found(organizations, organizationId, want(["id"]));
      if (!context.viewer.memberships.has(organizationId))
        throw new DomainError("FORBIDDEN", "You need to be in an organization to subscribe to its events.");
    },
    mayHear: async (context, { spaceId }) => spaceId !== null && canHear(context, spaceId),
  };
}

/** Fields of an event that name a space, and show it. */
export const spaceOfEvent = (t: EventFields) => ({
  spaceId: t.value("ID", "Id of the space.", ({ event }) => event.spaceId ?? ""),
  space: t.rowOrNull(spaces, ({ event }) => event.spaceId, "The space as it is now; null when it has been deleted."),
});

defineSubscription({
  name: "spaceEvents",
  description:
    "Sends what happens to a space: its main content edited, a change request merged, its settings changed, the space moved. It ends with NOT_FOUND when the " +
    "space is deleted, and with FORBIDDEN when the viewer has no role on it any more.",
  args: builder.args((t) => ({ spaceId: t.id({ required: true, description: "Id of the space." }) })),
  events: [
    defineEvent("SpaceSettingsChanged", "The settings of a space were changed.", [spaceEvents.updated], spaceOfEvent),
    defineEvent(
      "SpaceMoved",
      "A space was moved to another place.",
      [spaceEvents.moved, spaceEvents.transferred],
      spaceOfEvent,
    ),
  ],
  open: ({ spaceId }) => listenToSpace(spaceId),
});
