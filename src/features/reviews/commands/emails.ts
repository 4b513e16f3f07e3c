// The e-mail that asks somebody for a review.
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import type { LoadedChangeRequest } from "#src/features/change-requests/commands/load.ts";
import { writeNotice } from "#src/features/users/commands/notices.ts";
import type { EmailKind } from "#src/jobs/emails.ts";
import { quoteInEmail } from "#src/net/mail.ts";

interface SentRequest {
  readonly reviewId: string;
  /** That of the change request in the application. */
  readonly address: string;
  readonly publicUrl: string;
}

/** The limit of such e-mails to one person in 24 hours. */
const mostPerDay = 50;

export const reviewRequestEmail: EmailKind<SentRequest> = {
  name: "A review request",
  async write({ database }, { reviewId, address, publicUrl }) {
    const [request] = await database.query<Request>(
      sql`select r."reviewerId", c.number, c.subject, s.title, coalesce(b."displayName", '') as by
        from "Review" r join "ChangeRequest" c on c.id = r."changeRequestId" join "Space" s on s.id = c."spaceId"
        join "OrganizationMember" m on m."organizationId" = s."organizationId" and m."userId" = r."reviewerId" and not m.disabled
        left join "User" b on b.id = r."requestedById"
        where r.id = ${reviewId} and r.status = 'requested' and s."deletedAt" is null
          and (select count(*) from "Review" o where o."reviewerId" = r."reviewerId"
            and o."requestedAt" > r."requestedAt" - interval '24 hours') <= ${mostPerDay}::int`,
    );
    if (!request) return null;
    const { reviewerId, number, subject, title, by } = request;
    return writeNotice({ database }, reviewerId, {
      kind: "review_request",
      publicUrl,
      subject: `A review of change request #${number} on docgraph`,
      title: "You are asked for a review",
      says: [
        `${by === "" ? "Somebody" : quoteInEmail(by)} asks you to review change request #${number} of the space ${quoteInEmail(title)}.`,
      ],
      ...(subject !== "" && { quoted: quoteInEmail(subject) }),
      button: { label: "Review it", address },
      after: [],
    });
  },
};

interface Request {
  readonly reviewerId: string;
  readonly number: number;
  readonly subject: string;
  readonly title: string;
  readonly by: string;
}

/** Queues the e-mail about a request that was committed. */
export function postReviewRequest(
  context: Context,
  { space, changeRequestId }: LoadedChangeRequest,
  reviewId: string,
): void {
  const address = context.links.app(`spaces/${space.id}/change-requests/${changeRequestId}`, changeRequestId);
  context.emails?.post(context, reviewRequestEmail, { reviewId, address, publicUrl: context.publicUrl });
}
