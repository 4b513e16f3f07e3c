// Mutations on grants.
import { removeGrant, setGrant } from "#src/features/grants/commands.ts";
import { grants } from "#src/features/grants/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import type { InputFields } from "#src/graph/builder.ts";
import { defineMutation, deletedPayload } from "#src/graph/mutations.ts";

const keyFields = (t: InputFields) => ({
  userId: t.id({ description: "Id of the user who holds it, an active member or guest; this or `teamId`." }),
  teamId: t.id({ description: "Id of the team that holds it; this or `userId`." }),
  collectionId: t.id({ description: "Id of the collection that it is on; this or `spaceId`." }),
  spaceId: t.id({ description: "Id of the space that it is on; this or `collectionId`." }),
});

defineMutation({
  name: "setGrant",
  description:
    "Gives a user or a team a role on a collection or space and everything inside, in place of the one granted there before. Needs the role `admin` on it.",
  input: (t) => ({
    ...keyFields(t),
    role: t.field({ type: Role, required: true, description: "The role, at most the viewer's own." }),
  }),
  run: (input, context) => setGrant(context, input),
  payload: (t) => ({
    grant: t.rowOrNull(grants, "id", "The grant; null when the viewer, by this, is not an admin there any more."),
  }),
});

defineMutation({
  name: "removeGrant",
  description: "Revokes the role granted to a user or a team on a collection or space. Needs the role `admin` on it.",
  input: keyFields,
  run: (input, context) => removeGrant(context, input),
  payload: deletedPayload,
});
