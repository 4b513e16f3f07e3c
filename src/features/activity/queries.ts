// The fields `activity` of organizations, spaces and change requests.
import {
  type ActivityFilter,
  activityOfChangeRequest,
  activityOfOrganization,
  activityOfSpace,
} from "#src/features/activity/reads.ts";
import { ChangeRequest } from "#src/features/change-requests/type/change-request.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { Space } from "#src/features/spaces/type.ts";
import { builder, type Types } from "#src/graph/schema/builder.ts";
import { allEventTypes, Event, EventKindEnum, eventTypesOf } from "#src/graph/schema/events.ts";
import { connectionOf } from "#src/graph/schema/nodes.ts";
import type { ObjectRef } from "@pothos/core";

connectionOf(Event as unknown as ObjectRef<Types, object>); // connectionOf treats an interface like an object type

const ofKinds = {
  args: builder.args((t) => ({
    kinds: t.field({ type: [EventKindEnum], description: "Only events of these kinds; all kinds by default." }),
  })),
  filter: ({ kinds }: { readonly kinds?: readonly string[] | null | undefined }): ActivityFilter => ({
    types: kinds ? eventTypesOf(kinds) : allEventTypes(),
  }),
};

const about =
  "newest first, in the types that subscriptions send. Covers at least the last 90 days; includes only events that the viewer may see now.";

builder.prismaObjectField(Organization, "activity", (t) =>
  t.list(activityOfOrganization, `Events in the organization, ${about} Excludes \`MemberSeen\` events.`, ofKinds),
);

builder.prismaObjectField(Space, "activity", (t) =>
  t.list(activityOfSpace, `Events in the space, ${about} Empty for viewers without a role on the space.`, ofKinds),
);

builder.prismaObjectField(ChangeRequest, "activity", (t) =>
  t.list(activityOfChangeRequest, `Events of the change request, its content, reviews and comments, ${about}`, ofKinds),
);
