// Who an installation is when its script asks the gateway: a person of its own, without any membership that lasts. It
// is a guest of the organization, to whom the spaces are granted on which the installation is active: with the role
// `edit` by the scope `space:content:write`, with `read` by `space:content:read` or `space:metadata:read`. Other scopes
// grant nothing here, and it may run only the mutations that are named below.
import { idOf } from "#src/base/ids.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { makeViewer, type Viewer } from "#src/access/viewer.ts";
import type { Identity } from "#src/domain/scripts.ts";
import type { Runnable } from "#src/features/integrations/commands/runs/runnable.ts";
import { readingScopes } from "#src/features/integrations/model/terms.ts";

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

interface Who extends Pick<Runnable, "installationId" | "organizationId" | "title"> {
  /** Whether it may use its scope to write; without that it only reads, and its person is not made. */
  readonly mayWrite: boolean;
}

/** The identity of an installation. If it may write, its person is made when there is none yet. */
export async function identityOf(database: Database, who: Who): Promise<Identity> {
  const userId = idOf("User", who.installationId);
  if (who.mayWrite)
    await database.query(sql`insert into "User" (id, email, "displayName")
      values (${userId}, ${`${userId}@integrations.invalid`}, ${who.title})
      on conflict (id) do update set "displayName" = excluded."displayName"
      where "User"."displayName" <> excluded."displayName"`);
  const rights = await rightsOf(database, userId, who);
  return {
    viewer: rights?.viewer ?? makeViewer({ userId, tokenId: "", memberships: [], grants: [] }),
    allowedMutations: rights?.writes ? writing : nothing,
    renew: async () => (await rightsOf(database, userId, who))?.viewer ?? null,
  };
}

interface Rights {
  readonly viewer: Viewer;
  readonly writes: boolean;
}

/** The rights by the scopes and spaces of this moment; null when the installation is paused or was removed. */
async function rightsOf(database: Database, userId: string, who: Who): Promise<Rights | null> {
  const { installationId, organizationId, mayWrite } = who;
  const rows = await database.query<{ scopes: string[]; spaceIds: string[] }>(sql`
    select i.scopes, array(select s."spaceId" from "IntegrationSpace" s
      where s."installationId" = i.id and s.status = 'active') as "spaceIds"
    from "IntegrationInstallation" i where i.id = ${installationId} and i.status <> 'paused'`);
  const [row] = rows;
  if (!row) return null;
  const writes = mayWrite && row.scopes.includes("space:content:write");
  const reads = readingScopes.some((scope) => row.scopes.includes(scope)) ? "read" : null;
  const role = writes ? "edit" : reads;
  const grants = role === null ? [] : row.spaceIds.map((id) => [id, role] as const);
  return { viewer: makeViewer({ userId, tokenId: "", memberships: [[organizationId, null]], grants }), writes };
}
