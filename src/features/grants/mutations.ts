// Mutations on grants.
import { answersWith } from "#src/domain/idempotency.ts";
import { collections } from "#src/features/collections/reads.ts";
import { removeGrant, setGrant, setGrants } from "#src/features/grants/commands.ts";
import { grantsOfSpace } from "#src/features/grants/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { builder, type InputFields, type ObjectFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload } from "#src/graph/schema/mutations.ts";

const GrantHolderInput = builder.inputType("GrantHolderInput", {
  description: "The grantee: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    userId: t.id({ description: "Id of a user who is an active member or guest." }),
    teamId: t.id({ description: "Id of a team." }),
  }),
});

const GrantTargetInput = builder.inputType("GrantTargetInput", {
  description: "The target of a grant: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    collectionId: t.id({ description: "Id of a collection." }),
    spaceId: t.id({ description: "Id of a space." }),
  }),
});

const targetFields = (t: InputFields) => ({
  target: t.field({ type: GrantTargetInput, required: true, description: "Collection or space of the role." }),
});

const keyFields = (t: InputFields) => ({
  holder: t.field({ type: GrantHolderInput, required: true, description: "User or team that gets the role." }),
  ...targetFields(t),
});

const roleFields = (t: InputFields) => ({
  role: t.field({ type: Role, required: true, description: "The role, at most the viewer's own." }),
});

type Target = { readonly spaceId: string | null; readonly collectionId: string | null };

const targetPayload = (t: ObjectFields<Target>) => ({
  space: t.rowOrNull(spaces, "spaceId", "The space of the grant; null if the viewer no longer sees it."),
  collection: t.rowOrNull(
    collections,
    "collectionId",
    "The collection of the grant; null if the viewer no longer sees it.",
  ),
});

defineMutation({
  name: "setGrant",
  description:
    "Grants a user or a team a role on a collection or space and all its content, and replaces a previously granted role. Requires the role `admin` on it.",
  input: (t) => ({
    ...keyFields(t),
    ...roleFields(t),
  }),
  run: ({ role, holder, target }, context) => setGrant(context, { role, ...holder, ...target }),
  payload: createdPayload("grant", grantsOfSpace, {
    description: "The grant; null unless the viewer is still an admin of the target.",
    in: "Space.grants` or `Collection.grants",
    nullable: true,
  }),
});

defineMutation({
  name: "setGrants",
  description:
    "Grants several users and teams the same role on a collection or space and all its content, as `setGrant` does: all of them, or none if one is not there. Requires the role `admin` on it.",
  input: (t) => ({
    ...targetFields(t),
    userIds: t.idList({ description: "Ids of at most 50 users who are active members or guests." }),
    teamIds: t.idList({ description: "Ids of at most 50 teams; at least one user or team must be given." }),
    ...roleFields(t),
  }),
  run: ({ target, ...input }, context) =>
    answersWith(context, { spaceId: null, collectionId: null, ...target }, () =>
      setGrants(context, { ...input, ...target }),
    ),
  payload: targetPayload,
});

defineMutation({
  name: "removeGrant",
  description:
    "Revokes the role granted to a user or a team on a collection or space. Requires the role `admin` on it.",
  input: keyFields,
  run: ({ holder, target }, context) =>
    answersWith(context, { spaceId: null, collectionId: null, ...target }, () =>
      removeGrant(context, { ...holder, ...target }),
    ),
  payload: (t) => ({ ...deletedPayload(t), ...targetPayload(t) }),
});
