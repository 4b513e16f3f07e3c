// Mentions in pages of the main content: who is named in a text that a new revision brings, and was not before.
import { newId } from "#src/base/ids.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { markOfNames, mayBeMentioned, usersNamedInAll } from "#src/features/comments/commands/mentions.ts";
import { mentionEvents } from "#src/features/comments/events.ts";
import { mainContentMoves } from "#src/features/content/commands/store.ts";

/** How many pages are looked at, bytes of their texts, and mentions that are new: other writers of the space wait. */
const most = { pages: 500, bytes: 1024 * 1024, mentions: 1000 } as const;

/** A page that names somebody, or did so; each text is empty where it names nobody or is not there. */
interface NamingPage {
  readonly pageId: string;
  readonly before: string;
  readonly after: string;
}

/** Somebody named on a page. */
interface Named {
  readonly pageId: string;
  readonly userId: string;
}

/**
 * Keeps a mention for each user with a role on the space whom a page names from now on, but for the one who writes, and
 * tells of it; who is not named any more is not mentioned any more. Of a revision that changes more pages with names
 * than are looked at, the first by their ids; of more than a thousand new mentions, the first.
 */
export const pagesMention = mainContentMoves.join(async (transaction, { space, revisionId, trees, by, tell }) => {
  if (trees.from === trees.to) return;
  const pages = await findNamingPages(transaction, space.id, trees);
  if (pages.length === 0) return;
  const users = await usersNamedInAll(pages.flatMap(({ before, after }) => [before, after]));
  const namedIn = (index: number): Named[] =>
    (users[index] ?? []).map((userId) => ({ pageId: pages[Math.floor(index / 2)]?.pageId ?? "", userId }));
  const keyOf = ({ pageId, userId }: Named) => `${pageId} ${userId}`;
  const [before, after] = [0, 1].map((side) => pages.flatMap((_page, index) => namedIn(2 * index + side)));
  const [had, has] = [new Set(before?.map(keyOf)), new Set(after?.map(keyOf))];
  await forget(transaction, space.id, before?.filter((named) => !has.has(keyOf(named))) ?? []);
  const added = after?.filter((named) => !had.has(keyOf(named))) ?? [];
  for (const { id, pageId, userId } of await keep(transaction, {
    spaceId: space.id,
    by,
    named: added.slice(0, most.mentions),
  })) {
    const ids = { subjectId: id, organizationId: space.organizationId, spaceId: space.id };
    tell({ type: mentionEvents.onPage, ...ids, payload: { pageId, userId, revisionId } });
  }
});

/** One text. `offset 0` keeps what is asked of it outside: else every text there is may be read, to find these. */
const textOf = (hash: Sql) =>
  sql`select d.hash, d.markdown, d.size from "ContentDocument" d where d.hash = ${hash} offset 0`;

/** The pages of the main content whose text is not the same in two trees, and names users in one of them. */
function findNamingPages(
  transaction: Transaction,
  spaceId: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<NamingPage[]> {
  return transaction.$queryRaw<NamingPage[]>(
    sql`with changed as (
      select distinct on (b."pageId") b."pageId", p.hash as was, b.hash as is from "pages_between"(${from}, ${to}) b
      left join lateral (select o.hash from "PresentPage" o where o."spaceId" = ${spaceId} and o."pageId" = b."pageId" offset 0) p on true
      order by b."pageId", b."isThere" desc),
    naming as (
      select c."pageId", coalesce(o.markdown, '') as before, coalesce(n.markdown, '') as after,
        sum(coalesce(o.size, 0) + coalesce(n.size, 0)) over (order by c."pageId") as bytes
      from changed c
      left join lateral (${textOf(sql`c.was`)}) o on strpos(o.markdown, ${markOfNames}) > 0
      left join lateral (${textOf(sql`c.is`)}) n on strpos(n.markdown, ${markOfNames}) > 0
      where c.was is distinct from c.is and (o.hash is not null or n.hash is not null))
    select "pageId", before, after from naming where bytes <= ${most.bytes}::int order by "pageId" limit ${most.pages}::int`,
  );
}

async function forget(transaction: Transaction, spaceId: string, named: readonly Named[]): Promise<void> {
  if (named.length === 0) return;
  await transaction.$executeRaw(
    sql`delete from "Mention" x using unnest(${named.map(({ pageId }) => pageId)}::text[], ${named.map(({ userId }) => userId)}::text[]) u("pageId", "userId")
      where x."spaceId" = ${spaceId} and x."pageId" = u."pageId" and x."userId" = u."userId"`,
  );
}

async function keep(
  transaction: Transaction,
  { spaceId, by, named }: { spaceId: string; by: { userId: string | null; now: Date }; named: readonly Named[] },
): Promise<(Named & { id: string })[]> {
  if (named.length === 0) return [];
  const ids = named.map(() => newId("Mention"));
  const added = await transaction.$queryRaw<(Named & { id: string })[]>(
    sql`insert into "Mention" as n (id, "userId", "spaceId", "pageId", "mentionedAt")
      select u.id, m."userId", t.id, u."pageId", ${by.now.toISOString()}::timestamptz
      from unnest(${ids}::text[], ${named.map(({ pageId }) => pageId)}::text[], ${named.map(({ userId }) => userId)}::text[]) u(id, "pageId", "userId")
      join "OrganizationMember" m on m."userId" = u."userId" join "Space" t on t."organizationId" = m."organizationId"
      where ${mayBeMentioned(spaceId, by.userId)} on conflict ("spaceId", "pageId", "userId") do nothing
      returning n.id, n."pageId", n."userId"`,
  );
  return added.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
