// Mentions in comments and replies: who is named in their texts, by references to users.
import { spaceRoleOf } from "#src/access/content.ts";
import { invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { convert, type Converted } from "#src/documents/convert.ts";
import { nodesIn, type RichDocument } from "#src/documents/document.ts";
import { readReference } from "#src/documents/references.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { DomainEvent } from "#src/events/event.ts";
import type { Place } from "#src/features/comments/commands/place.ts";
import { commentEvent, mentionEvents } from "#src/features/comments/events.ts";

/** A text that names users: the comment, or the reply to it, with the time and the author of the text. */
interface Naming {
  readonly commentId: string;
  readonly replyId: string | null;
  readonly authorId: string;
  readonly now: Date;
  readonly place: Place;
}

/** Every reference to a user has this in Markdown; most texts have none, and are not read as documents. */
export const markOfNames = "usr_";

const mayName = (markdown: string): boolean => markdown.includes(markOfNames);

/** The most people whom a comment or reply may mention: each is told of it. */
const mentionLimit = 100;

/**
 * The ids of the users to whom the text of a comment or reply refers, each once, by links to `user:<id>` or by nodes of
 * any type with such a `ref`. Nobody for a text that takes too long to be read. INVALID_INPUT for more than a hundred.
 */
export async function usersNamedIn(markdown: string): Promise<readonly string[]> {
  const [users = []] = await usersNamedInAll([markdown]);
  if (users.length > mentionLimit)
    throw invalidInput("text", `must mention at most ${mentionLimit} people, and mentions ${users.length}.`);
  return users;
}

/** The ids of the users to whom each of these texts refers, any number of them; they are read together. */
export async function usersNamedInAll(texts: readonly string[]): Promise<readonly (readonly string[])[]> {
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

/** Whether the user of membership `m` may be told of what is in space `t`, and did not write it. */
export const mayBeMentioned = (spaceId: string, authorId: string | null): Sql =>
  sql`t.id = ${spaceId} and not m.disabled and m."userId" is distinct from ${authorId}::text and ${spaceRoleOf(sql`m."userId"`, sql`m.role`)} is not null`;

/**
 * Keeps a mention for each of these users who has a role on the space, but for the author, and answers an event for
 * each that is new. `before` is the text as it was: users that only it names are no longer mentioned. The comment, or
 * reply, has to be new or locked.
 */
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
  return added
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, userId }) =>
      commentEvent(
        { type: mentionEvents.created, userId, ...(replyId !== null && { replyId }) },
        { id, commentId },
        place,
      ),
    );
}
