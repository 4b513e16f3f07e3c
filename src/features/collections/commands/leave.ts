// What content leaves behind when it goes to another organization: roles of those who are not there, and its places on sites.
import { type Sql, sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";

/**
 * Cuts the ties of content to an organization that it is about to leave for the organization `to`. `collections` and `spaces` are SQL of ids.
 *
 * Grants stay for people who are in both organizations, also as guests; those of other people and of teams fall away. The spaces leave the
 * sites and the default content of the organization.
 */
export async function leaveOrganization(
  transaction: Transaction,
  { from, to, collections, spaces }: { from: string; to: string; collections: Sql; spaces: Sql },
): Promise<void> {
  const there = sql`select m."userId" from "OrganizationMember" m where m."organizationId" = ${to}`;
  await transaction.$executeRaw(
    sql`with sites as (delete from "SiteSpace" p where p."spaceId" in (${spaces})),
        content as (update "Organization" o set "defaultSpaceId" = null where o.id = ${from} and o."defaultSpaceId" in (${spaces}))
      delete from "Grant" g where g."organizationId" = ${from} and (g."collectionId" in (${collections}) or g."spaceId" in (${spaces}))
        and (g."teamId" is not null or g."userId" not in (${there}))`,
  );
}
