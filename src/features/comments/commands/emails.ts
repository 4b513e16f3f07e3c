// The e-mail about a mention in a comment or a reply.
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import type { DomainEvent } from "#src/events/event.ts";
import type { Place } from "#src/features/comments/commands/load.ts";
import { mentionEvents } from "#src/features/comments/events.ts";
import { writeNotice } from "#src/features/users/commands/notices.ts";
import type { EmailKind } from "#src/jobs/emails.ts";
import { quoteInEmail } from "#src/net/mail.ts";

interface SentMention {
  readonly mentionId: string;
  /** That of the space or the change request in the application. */
  readonly address: string;
  readonly publicUrl: string;
}

/** The limit of such e-mails to one person in 24 hours. */
const mostPerDay = 50;

export const mentionEmail: EmailKind<SentMention> = {
  name: "A mention",
  async write({ database }, { mentionId, address, publicUrl }) {
    const [mention] = await database.query<{ userId: string; title: string; by: string }>(
      sql`select n."userId", s.title, b."displayName" as by
        from "Mention" n join "Space" s on s.id = n."spaceId"
        join "OrganizationMember" m on m."organizationId" = s."organizationId" and m."userId" = n."userId" and not m.disabled
        join "Comment" c on c.id = n."commentId" left join "CommentReply" r on r.id = n."replyId"
        join "User" b on b.id = coalesce(r."postedById", c."postedById")
        where n.id = ${mentionId} and s."deletedAt" is null and (select count(*) from "Mention" o where o."userId" = n."userId"
            and o."mentionedAt" > n."mentionedAt" - interval '24 hours') <= ${mostPerDay}::int`,
    );
    if (!mention) return null;
    const { userId, title, by } = mention;
    return writeNotice({ database }, userId, {
      kind: "mention",
      publicUrl,
      subject: "You are mentioned on docgraph",
      title: "You are mentioned",
      says: [`${quoteInEmail(by)} mentions you in a comment in the space ${quoteInEmail(title)}.`],
      button: { label: "Read the comment", address },
      after: [],
    });
  },
};

/** Queues the e-mails about the mentions among events that were committed. */
export function postMentions(
  context: Context,
  { space, changeRequestId }: Pick<Place, "space" | "changeRequestId">,
  events: readonly DomainEvent[],
): void {
  const path = changeRequestId === null ? "" : `/change-requests/${changeRequestId}`;
  const address = context.links.app(`spaces/${space.id}${path}`, changeRequestId ?? space.id);
  for (const { type, subjectId: mentionId } of events)
    if (type === mentionEvents.created)
      context.emails?.post(context, mentionEmail, { mentionId, address, publicUrl: context.publicUrl });
}
