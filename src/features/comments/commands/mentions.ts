// Mentions of users in comments, replies and pages of the main content, by references to users.
import { spaceRoleOf } from "#src/access/content.ts";
import { invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { convert, type Converted } from "#src/documents/convert.ts";
import { nodesIn, type RichDocument } from "#src/documents/document.ts";
import { readReference } from "#src/documents/references.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { DomainEvent } from "#src/events/event.ts";
import type { Place } from "#src/features/comments/commands/load.ts";
import { commentEvent, mentionEvents } from "#src/features/comments/events.ts";
import { beforeMainContentChange } from "#src/features/content/commands/write-content.ts";

/** A text that may mention users: the comment or a reply to it, with the time and the author of the text. */
interface Naming {
  readonly commentId: string;
  readonly replyId: string | null;
  readonly authorId: string;
  readonly now: Date;
  readonly place: Place;
}

/** Every reference to a user contains this in Markdown; texts without it are not parsed. */
const markOfNames = "usr_";

const mayName = (markdown: string): boolean => markdown.includes(markOfNames);

/** Maximum number of users that a comment or reply may mention: each gets a notification. */
const mentionLimit = 100;

/** Distinct ids of the users that a text mentions; empty if parsing takes too long. INVALID_INPUT for more than 100. */
export async function usersNamedIn(markdown: string): Promise<readonly string[]> {
  const [users = []] = await usersNamedInAll([markdown]);
  if (users.length > mentionLimit)
    throw invalidInput("text", `must mention at most ${mentionLimit} users, and mentions ${users.length}.`);
  return users;
}

/** The ids of the users that each of these texts mentions, without a limit. The texts are parsed in one batch. */
async function usersNamedInAll(texts: readonly string[]): Promise<readonly (readonly string[])[]> {
  const read = [...new Set(texts.filter(mayName))];
  const documents = await convert(read.map((text) => ({ to: "document", text })));
  const byText = new Map(read.map((text, index) => [text, usersIn(documents[index])]));
  return texts.map((text) => byText.get(text) ?? []);
}

function usersIn(json: Converted): readonly string[] {
  if (typeof json !== "string") return [];
  const users = new Set<string>();
  for (const node of nodesIn(JSON.parse(json) as RichDocument)) {
    const reference = node.object === "text" ? null : readReference(node.data["ref"]);
    if (reference && "user" in reference) users.add(reference.user);
  }
  return [...users];
}

/** Whether the user of membership `m` may see the content of space `t`, and is not the author. */
const mayBeMentioned = (spaceId: string, authorId: string | null): Sql =>
  sql`t.id = ${spaceId} and not m.disabled and m."userId" is distinct from ${authorId}::text and ${spaceRoleOf(sql`m."userId"`, sql`m.role`)} is not null`;

/** Stores mentions of users with a role on the space; deletes those that only the old text `before` contains. */
export async function keepMentions(
  transaction: Transaction,
  { commentId, replyId, authorId, now, place }: Naming,
  users: readonly string[],
  before = "",
): Promise<DomainEvent[]> {
  if (mayName(before))
    await transaction.mention.deleteMany({ where: { commentId, replyId, userId: { notIn: [...users] } } });
  if (users.length === 0) return [];
  const ids = users.map(() => newId("Mention"));
  const added = await transaction.$queryRaw<{ id: string; userId: string }[]>(
    sql`insert into "Mention" as n (id, "userId", "spaceId", "commentId", "replyId", "mentionedAt")
      select u.id, m."userId", t.id, ${commentId}, ${replyId}::text, ${now.toISOString()}::timestamptz
      from unnest(${ids}::text[], ${users}::text[]) u(id, "userId")
      join "OrganizationMember" m on m."userId" = u."userId" join "Space" t on t."organizationId" = m."organizationId"
      where ${mayBeMentioned(place.space.id, authorId)} and not exists (select from "Mention" x where x."commentId" = ${commentId} and x."replyId" is not distinct from ${replyId}::text
        and x."userId" = m."userId")
      returning n.id, n."userId"`,
  );
  const type = mentionEvents.created;
  return added
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, userId }) =>
      commentEvent({ type, userId, ...(replyId !== null && { replyId }) }, { id, commentId }, place),
    );
}

/** Limits of pages, bytes of their texts, and new mentions per revision: other writers of the space wait meanwhile. */
const most = { pages: 500, bytes: 1024 * 1024, mentions: 1000 } as const;

/** A page that mentions a user before or after; a text is empty if it does not exist or mentions no user. */
interface NamingPage {
  readonly pageId: string;
  readonly before: string;
  readonly after: string;
}

interface Named {
  readonly pageId: string;
  readonly userId: string;
}

/** Stores new mentions of users with a role on the space, and deletes old ones, within the limits of {@link most}. */
export const storePageMentions = beforeMainContentChange.join(
  async (transaction, { space, revisionId, trees, by, emit }) => {
    if (trees.from === trees.to) return;
    const pages = await findNamingPages(transaction, space.id, trees);
    if (pages.length === 0) return;
    const users = await usersNamedInAll(pages.flatMap(({ before, after }) => [before, after]));
    const namedIn = (index: number): Named[] =>
      (users[index] ?? []).map((userId) => ({ pageId: pages[Math.floor(index / 2)]?.pageId ?? "", userId }));
    const keyOf = ({ pageId, userId }: Named) => `${pageId} ${userId}`;
    const [before, after] = [0, 1].map((side) => pages.flatMap((_page, index) => namedIn(2 * index + side)));
    const [had, has] = [new Set(before?.map(keyOf)), new Set(after?.map(keyOf))];
    await forget(transaction, space.id, before?.filter((one) => !has.has(keyOf(one))) ?? []);
    const added = after?.filter((one) => !had.has(keyOf(one))) ?? [];
    const named = added.slice(0, most.mentions);
    for (const { id, pageId, userId } of await keep(transaction, { spaceId: space.id, by, named })) {
      const ids = { subjectId: id, organizationId: space.organizationId, spaceId: space.id };
      emit({ type: mentionEvents.onPage, ...ids, payload: { pageId, userId, revisionId } });
    }
  },
);

type Trees = { readonly from: string | null; readonly to: string | null };

/** One text. `offset 0` is an optimization fence: without it the planner may scan all texts for the condition. */
const textOf = (hash: Sql) =>
  sql`select d.hash, d.markdown, d.size from "ContentDocument" d where d.hash = ${hash} offset 0`;

/** The pages of the main content whose text differs between two trees and mentions users in one of them. */
function findNamingPages(transaction: Transaction, spaceId: string, { from, to }: Trees): Promise<NamingPage[]> {
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
