// Who an installation is when its script asks the gateway: a person of its own, without any membership that lasts. It
// is a guest of the organization, to whom the spaces are granted on which the installation is active: with the role
// `edit` by the scope `space:content:write`, with `read` by `space:content:read` or `space:metadata:read`. Other scopes
// grant nothing here, and it may run only the mutations that are named below.
import { idOf } from "#src/base/ids.ts";
import { type Database, sql } from "#src/db/database.ts";
import { makeViewer, type Viewer } from "#src/access/viewer.ts";
import type { Identity } from "#src/domain/scripts.ts";
import type { Runnable } from "#src/features/integrations/commands/runs/runnable.ts";
import { readingScopes } from "#src/features/integrations/model/scopes.ts";

/** By the scope to write content: what people with the role `edit` do in a space, and nothing about accounts. */
const writing: ReadonlySet<string> = new Set([
  "createChangeRequest",
  "createComment",
  "createCommentReply",
  "deleteComment",
  "deleteCommentReply",
  "editContent",
  "pullChangeRequestUpdates",
  "updateChangeRequest",
  "updateComment",
  "updateCommentReply",
]);
const nothing: ReadonlySet<string> = new Set();

type Who = Pick<Runnable, "installationId" | "organizationId" | "scopes" | "title">;

/** The identity of an installation, whose person is made when there is none yet. */
export async function identityOf(database: Database, who: Who): Promise<Identity> {
  const userId = idOf("User", who.installationId);
  await database.query(sql`insert into "User" (id, email, "displayName")
    values (${userId}, ${`${who.installationId}@integrations.invalid`}, ${who.title})
    on conflict (id) do update set "displayName" = excluded."displayName"
    where "User"."displayName" <> excluded."displayName"`);
  const viewer = await viewerOf(database, userId, who);
  const allowedMutations = who.scopes.includes("space:content:write") ? writing : nothing;
  return {
    viewer: viewer ?? makeViewer({ userId, tokenId: "", memberships: [], grants: [] }),
    allowedMutations,
    renew: () => viewerOf(database, userId, who),
  };
}

/** The viewer of this moment; null when the installation is no longer active. */
async function viewerOf(database: Database, userId: string, who: Who): Promise<Viewer | null> {
  const { installationId, organizationId, scopes } = who;
  const rows = await database.query<{ spaceIds: string[] }>(sql`
    select array(select s."spaceId" from "IntegrationSpace" s
      where s."installationId" = i.id and s.status = 'active') as "spaceIds"
    from "IntegrationInstallation" i where i.id = ${installationId} and i.status <> 'paused'`);
  const [row] = rows;
  if (!row) return null;
  const reads = readingScopes.some((scope) => scopes.includes(scope)) ? "read" : null;
  const role = scopes.includes("space:content:write") ? "edit" : reads;
  return makeViewer({
    userId,
    tokenId: "",
    memberships: [[organizationId, null]],
    grants: role === null ? [] : row.spaceIds.map((id) => [id, role] as const),
  });
}
