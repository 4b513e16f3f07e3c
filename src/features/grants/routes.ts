// The operations on roles granted on spaces and collections in /v1, which are additions.
import { permissionsTag } from "#src/features/members/routes.ts";
import { teamFields } from "#src/features/teams/routes.ts";
import { userFields } from "#src/features/users/routes.ts";
import { defineAdditions, type Parent, parentAt, type RouteRow } from "#src/rest/route.ts";

type Holder = "user" | "team";

const list = (of: Parent, holder: Holder): RouteRow => ({
  request: `GET ${of.path}/permissions/${holder}s`,
  summary: `List the roles that ${holder}s were granted on a ${of.noun}`,
  list: true,
  given: { holders: holder.toUpperCase() },
  answer: [...of.answer, "grants"],
  fields: `permission: role ${holder} { ...${holder === "user" ? "UserFields" : "TeamFields"} }
    ${holder === "user" ? userFields : teamFields}`,
});

const update = (of: Parent, holder: Holder): RouteRow => ({
  request: `PATCH ${of.path}/permissions/${holder}s/{${holder}Id}`,
  summary: `Grant a ${holder} a role on a ${of.noun}`,
  success: 204,
  body: { role: "The role, at most the caller's own." },
  answer: ["setGrant"],
  fields: "__typename",
});

const remove = (of: Parent, holder: Holder): RouteRow => ({
  request: `DELETE ${of.path}/permissions/${holder}s/{${holder}Id}`,
  summary: `Revoke the role that a ${holder} was granted on a ${of.noun}`,
  answer: ["removeGrant", "deletedId"],
});

const invite = (of: Parent): RouteRow => ({
  request: `POST ${of.path}/permissions`,
  summary: `Grant several users and teams a role on a ${of.noun}`,
  success: 204,
  body: {
    role: "The role, at most the caller's own.",
    users: { description: "Ids of at most 50 users.", notNull: true },
    teams: { description: "Ids of at most 50 teams.", notNull: true },
  },
  answer: ["setGrants"],
  fields: "__typename",
});

const space = parentAt("space", "/v1/spaces/{spaceId}");
const collection = parentAt("collection", "/v1/collections/{collectionId}");

export const grantRoutes = defineAdditions(() => permissionsTag, {
  inviteToSpace: invite(space),
  inviteToCollection: invite(collection),
  listUserPermissionsInSpace: list(space, "user"),
  updateUserPermissionInSpace: update(space, "user"),
  removeUserFromSpace: remove(space, "user"),
  listTeamPermissionsInSpace: list(space, "team"),
  updateTeamPermissionInSpace: update(space, "team"),
  removeTeamFromSpace: remove(space, "team"),
  listUserPermissionsInCollection: list(collection, "user"),
  updateUserPermissionInCollection: update(collection, "user"),
  removeUserFromCollection: remove(collection, "user"),
  listTeamPermissionsInCollection: list(collection, "team"),
  updateTeamPermissionInCollection: update(collection, "team"),
  removeTeamFromCollection: remove(collection, "team"),
});
