// What is told live of spaces, and how a subscription listens to a space or to an organization.
import { DomainError, found } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { findOrganization } from "#src/features/organizations/reads.ts";
import { findSpace } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { builder, type GraphTypes } from "#src/graph/builder.ts";
import { defineEvent, type EventMessage } from "#src/graph/events.ts";
import { wantedRows } from "#src/graph/selection.ts";
import { defineSubscription, type Listening } from "#src/graph/subscriptions.ts";

type Fields = PothosSchemaTypes.ObjectFieldBuilder<PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>, EventMessage>;

const access = want(["isAccessible"]);

async function canHear(context: Context, spaceId: string): Promise<boolean> {
  return (await findSpace(context, spaceId, access))?.isAccessible ?? false;
}

/** Listens to what happens in a space: for those with a role on it. */
export function listenToSpace(spaceId: string): Listening {
  return {
    scope: { spaceId },
    async check(context) {
      const { isAccessible } = found(await findSpace(context, spaceId, access), "space");
      if (!isAccessible) throw new DomainError("FORBIDDEN", "You need a role on a space to hear what happens there.");
    },
  };
}

/** Listens to what happens in the spaces of an organization: for its members and guests, each for the spaces that they have a role on. */
export function listenToOrganization(organizationId: string): Listening {
  return {
    scope: { organizationId },
    async check(context) {
      found(await findOrganization(context, organizationId, want(["id"])), "organization");
      if (!context.viewer.memberships.has(organizationId))
        throw new DomainError("FORBIDDEN", "You need to be in an organization to hear what happens there.");
    },
    mayHear: async (context, { spaceId }) => spaceId !== null && canHear(context, spaceId),
  };
}

/** Fields of an event that name a space, and show it. */
export const spaceOfEvent = (t: Fields) => ({
  spaceId: t.id({ description: "Id of the space.", resolve: ({ event }) => event.spaceId ?? "" }),
  space: t.field({
    type: Space,
    nullable: true,
    description: "The space as it is now; null when it is gone by now.",
    resolve: ({ event }, _args, context, info) => findSpace(context, event.spaceId ?? "", wantedRows(info, "Space")),
  }),
});

defineSubscription({
  name: "spaceEvents",
  description:
    "Tells what happens to a space: its main content edited, a change request merged, its settings changed, the space moved. It ends with NOT_FOUND when the " +
    "space is deleted, and with FORBIDDEN when the viewer has no role on it any more.",
  args: builder.args((t) => ({ spaceId: t.id({ required: true, description: "Id of the space." }) })),
  events: [
    defineEvent({
      name: "SpaceSettingsChanged",
      description: "The settings of a space were changed.",
      of: ["space.updated"],
      fields: spaceOfEvent,
    }),
    defineEvent({
      name: "SpaceMoved",
      description: "A space was moved to another place.",
      of: ["space.moved", "space.transferred"],
      fields: spaceOfEvent,
    }),
  ],
  open: ({ spaceId }) => listenToSpace(spaceId),
});
