// Selects the external URLs to check next: those in texts of organizations that turned the check on, if they were never
// checked or are due again.
import { type Database, type Sql, sql } from "#src/db/connection/database.ts";
import { addressLimit, type Remembered } from "#src/features/links/model/outside.ts";

export interface DueAddress {
  readonly url: string;
  readonly before: Remembered | null;
}

/** Whether the organization of space `s` turned the check on. */
const isCheckOn = sql`s."deletedAt" is null and s."organizationId" in (select o.id from "Organization" o where o."checksOutsideLinks")`;

/** The URLs in current pages of such spaces, and in pages that only open and draft change requests contain. */
const addresses: Sql = sql`
  select s."organizationId", l.address from "Space" s join "PresentPage" p on p."spaceId" = s.id
    join "TextLink" l on l.hash = p.hash where ${isCheckOn}
  union all select s."organizationId", p.fields->>'target' from "Space" s join "PresentPage" p on p."spaceId" = s.id
    where ${isCheckOn} and p.type = 'link'
  union all select s."organizationId", l.address from "Space" s join "Revision" m on m.id = s."revisionId"
    join "ChangeRequest" cr on cr."spaceId" = s.id and cr.status in ('draft', 'open') and cr."revisionId" <> m.id
    join "Revision" r on r.id = cr."revisionId" cross join lateral "pages_between"(m."treeHash", r."treeHash") b
    join "TextLink" l on l.hash = b.hash where ${isCheckOn}`;

/** At most `all`, and `ofHost` per host, round-robin over organizations and hosts. */
export async function findDue(
  database: Database,
  { now, all, ofHost }: { now: Date; all: number; ofHost: number },
): Promise<DueAddress[]> {
  const rows = await database.query<Remembered & { url: string; isKnown: boolean }>(
    sql`with known as (select distinct x."organizationId", split_part(x.address, '#', 1) as url from (${addresses}) x
        where x.address ~* '^https?://[^/?#{}]' and x.address not like '%{{%'),
      due as (select k.*, lower(substring(k.url from '^[^:]*://([^/?#]*)')) as host
        from known k left join "OutsideAddress" a on a.url = k.url
        where octet_length(k.url) <= ${addressLimit}::int and (a.url is null or a."dueAt" <= ${now})),
      of_host as (select d.*, row_number() over (partition by d."organizationId", d.host order by d.url) as nth from due d),
      turns as (select h.*, row_number() over (partition by h."organizationId" order by h.nth, h.url) as turn
        from of_host h where h.nth <= ${ofHost}::int)
    select t.url, a.status, a.reason, a."checkedAt", coalesce(a.failures, 0) as failures, a.url is not null as "isKnown"
      from (select url, min(turn) as turn from turns group by url order by min(turn), url limit ${all}::int) t
      left join "OutsideAddress" a on a.url = t.url order by t.turn, t.url`,
  );
  return rows.map(({ url, isKnown, status, reason, checkedAt, failures }) => ({
    url,
    before: isKnown ? { status, reason, checkedAt: checkedAt && new Date(checkedAt), failures } : null,
  }));
}
