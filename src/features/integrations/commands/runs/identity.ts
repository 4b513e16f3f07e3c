// The identity of an installation whose script calls the gateway: a user of its own, without memberships. It is a guest
// of the organization with grants on the spaces where the installation is active: the role `edit` by the scope
// `space:content:write`, `read` by `space:content:read` or `space:metadata:read`. Other scopes grant nothing, and it
// may run only the mutations below.
import { idOf } from "#src/base/ids.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { makeViewer, type Viewer } from "#src/access/viewer.ts";
import type { Identity } from "#src/domain/scripts.ts";
import type { Runnable } from "#src/features/integrations/commands/runs/runnable.ts";
import { readingScopes } from "#src/features/integrations/model/terms.ts";

/** The mutations of the scope to write content. */
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

interface Caller extends Pick<Runnable, "installationId" | "organizationId" | "title"> {
  /** Whether it may use its scope to write; otherwise it only reads, and its user is not created. */
  readonly mayWrite: boolean;
}

/** The identity of an installation. Its user is created if it may write. */
export async function identityOf(database: Database, who: Caller): Promise<Identity> {
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

/** The rights by the current scopes and spaces; null if the installation is paused or removed. */
async function rightsOf(database: Database, userId: string, who: Caller): Promise<Rights | null> {
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
