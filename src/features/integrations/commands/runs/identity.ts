// The identity of an installation in the API: a guest of its organization, with the rights that its scopes give.
import { idOf } from "#src/base/ids.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { makeViewer, type Viewer } from "#src/access/viewer.ts";
import type { Identity } from "#src/domain/scripts.ts";
import type { Runnable } from "#src/features/integrations/commands/runs/runnable.ts";
import { readingScopes, siteScopes } from "#src/features/integrations/model/terms.ts";

/** The mutations of its own settings, which need no scope. */
const configuring = ["updateInstallation", "updateIntegrationSpace", "updateIntegrationSite"];

/** The mutations of the scope to write content. */
const writing = (
  "createChangeRequest createComment createCommentReply deleteComment deleteCommentReply editContent " +
  "pullChangeRequestUpdates updateChangeRequest updateComment updateCommentReply"
).split(" ");

/** What a run may change: nothing, the settings of its installation, or also content by its scopes. */
export const changes = ["nothing", "settings", "content"] as const;

export interface Caller extends Pick<Runnable, "installationId" | "organizationId"> {
  readonly mayChange: (typeof changes)[number];
}

/** Creates the user of an installation, or gives it the title that its integration has now. */
export async function provideUser(database: Pick<Database, "query">, installationId: string): Promise<void> {
  const userId = idOf("User", installationId);
  await database.query(sql`insert into "User" (id, email, "displayName")
    select ${userId}, ${`${userId}@integrations.invalid`}, n.title
    from "IntegrationInstallation" i join "Integration" n on n.id = i."integrationId" where i.id = ${installationId}
    on conflict (id) do update set "displayName" = excluded."displayName"
    where "User"."displayName" <> excluded."displayName"`);
}

/** The identity of an installation. Its user is created if it may change content. */
export async function identityOf(database: Database, who: Caller): Promise<Identity> {
  const userId = idOf("User", who.installationId);
  if (who.mayChange === "content") await provideUser(database, who.installationId);
  const rights = await rightsOf(database, userId, who);
  return {
    viewer: rights?.viewer ?? makeViewer({ userId, tokenId: "", memberships: [], grants: [] }),
    allowedMutations: new Set(rights?.mutations ?? []),
    renew: async () => (await rightsOf(database, userId, who))?.viewer ?? null,
  };
}

type Rights = { readonly viewer: Viewer; readonly mutations: readonly string[] };

interface Row {
  readonly scopes: string[];
  readonly integrationId: string;
  readonly spaceIds: string[];
  readonly siteIds: string[];
}

/** The rights by the current scopes, spaces and sites; null if the installation is paused or removed. */
async function rightsOf(database: Database, userId: string, who: Caller): Promise<Rights | null> {
  const { installationId, organizationId, mayChange } = who;
  const [row] = await database.query<Row>(sql`
    select i.scopes, i."integrationId",
      array(select s."spaceId" from "IntegrationSpace" s
        where s."installationId" = i.id and s.status = 'active') as "spaceIds",
      array(select s."siteId" from "IntegrationSite" s
        where s."installationId" = i.id and i.scopes && ${siteScopes}::text[]) as "siteIds"
    from "IntegrationInstallation" i where i.id = ${installationId} and i.status <> 'paused'`);
  if (!row) return null;
  const { scopes, spaceIds, siteIds, integrationId } = row;
  const writes = mayChange === "content" && scopes.includes("space:content:write");
  const role = writes ? "edit" : readingScopes.some((scope) => scopes.includes(scope)) ? "read" : null;
  const viewer = makeViewer({
    userId,
    tokenId: "",
    memberships: [[organizationId, null]],
    grants: role === null ? [] : spaceIds.map((id) => [id, role] as const),
    installation: { id: installationId, integrationId, siteIds },
  });
  return { viewer, mutations: [...(mayChange === "nothing" ? [] : configuring), ...(writes ? writing : [])] };
}
