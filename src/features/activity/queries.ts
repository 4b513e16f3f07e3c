// Where activity is asked for: from organizations, spaces and change requests.
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

connectionOf(Event as unknown as ObjectRef<Types, object>); // a connection is made alike of an interface

const ofKinds = {
  args: builder.args((t) => ({
    kinds: t.field({ type: [EventKindEnum], description: "Only events of these kinds; all when nothing is given." }),
  })),
  filter: ({ kinds }: { readonly kinds?: readonly string[] | null | undefined }): ActivityFilter => ({
    types: kinds ? eventTypesOf(kinds) : allEventTypes(),
  }),
};

const about =
  "newest first, as subscriptions tell it: of at least the last 90 days, and as far as the viewer may see it now.";

builder.prismaObjectField(Organization, "activity", (t) =>
  t.list(activityOfOrganization, `What has happened in it, ${about} Who was seen when is not among it.`, ofKinds),
);

builder.prismaObjectField(Space, "activity", (t) =>
  t.list(activityOfSpace, `What has happened in it, ${about} Empty for those without a role on the space.`, ofKinds),
);

builder.prismaObjectField(ChangeRequest, "activity", (t) =>
  t.list(activityOfChangeRequest, `What has happened to it, its content, its reviews and comments, ${about}`, ofKinds),
);
