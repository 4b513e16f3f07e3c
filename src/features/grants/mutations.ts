// Mutations on grants.
import { answersWith } from "#src/domain/idempotency.ts";
import { collections } from "#src/features/collections/reads.ts";
import { removeGrant, setGrant } from "#src/features/grants/commands.ts";
import { grantsOfSpace } from "#src/features/grants/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { builder, type InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload } from "#src/graph/schema/mutations.ts";

const GrantHolderInput = builder.inputType("GrantHolderInput", {
  description: "Who holds a grant: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    userId: t.id({ description: "Id of the user who holds it, an active member or guest." }),
    teamId: t.id({ description: "Id of the team that holds it." }),
  }),
});

const GrantTargetInput = builder.inputType("GrantTargetInput", {
  description: "What a grant is on: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    collectionId: t.id({ description: "Id of the collection that it is on." }),
    spaceId: t.id({ description: "Id of the space that it is on." }),
  }),
});

const keyFields = (t: InputFields) => ({
  holder: t.field({ type: GrantHolderInput, required: true, description: "Who holds it." }),
  target: t.field({ type: GrantTargetInput, required: true, description: "What it is on." }),
});

defineMutation({
  name: "setGrant",
  description:
    "Gives a user or a team a role on a collection or space and everything inside, in place of the one granted there before. Needs the role `admin` on it.",
  input: (t) => ({
    ...keyFields(t),
    role: t.field({ type: Role, required: true, description: "The role, at most the viewer's own." }),
  }),
  run: ({ role, holder, target }, context) => setGrant(context, { role, ...holder, ...target }),
  payload: createdPayload("grant", grantsOfSpace, {
    description: "The grant; null when the viewer, by this, is not an admin there any more.",
    in: "Space.grants` or `Collection.grants",
    nullable: true,
  }),
});

defineMutation({
  name: "removeGrant",
  description: "Revokes the role granted to a user or a team on a collection or space. Needs the role `admin` on it.",
  input: keyFields,
  run: ({ holder, target }, context) =>
    answersWith(context, { spaceId: null, collectionId: null, ...target }, () =>
      removeGrant(context, { ...holder, ...target }),
    ),
  payload: (t) => ({
    ...deletedPayload(t),
    space: t.rowOrNull(spaces, "spaceId", "The space that it was on; null when the viewer sees it no more."),
    collection: t.rowOrNull(
      collections,
      "collectionId",
      "The collection that it was on; null when the viewer sees it no more.",
    ),
  }),
});
