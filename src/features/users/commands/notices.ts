// E-mails about what happens, each kind of which its receiver can end: on a page, or by the address in the e-mail.
import { randomBytes } from "node:crypto";
import { isIdOf } from "#src/base/ids.ts";
import { isSameSecret } from "#src/base/secrets.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import type { Email } from "#src/net/mail.ts";
import { layOutEmail } from "#src/pages/email.ts";

/** The kinds, each with what it tells. */
export const noticeKinds = {
  invitation: "Somebody invites you to an organization.",
  mention: "Somebody mentions you in a comment.",
  review_request: "Somebody asks you for a review.",
} as const;

export type NoticeKind = keyof typeof noticeKinds;

export const isNoticeKind = (text: string): text is NoticeKind => Object.hasOwn(noticeKinds, text);

interface Notice extends Omit<Parameters<typeof layOutEmail>[0], "to"> {
  readonly kind: NoticeKind;
  /** The public address of the gateway. */
  readonly publicUrl: string;
}

/** Writes a notice to a user; null if they do not want its kind, and for the users of tokens of organizations. */
export async function writeNotice(
  { database }: { readonly database: Database },
  userId: string,
  { kind, publicUrl, ...letter }: Notice,
): Promise<Email | null> {
  const key = randomBytes(24).toString("base64url");
  const [user] = await database.query<{ email: string; emailKey: string }>(
    sql`update "User" set "emailKey" = coalesce("emailKey", ${key})
      where id = ${userId} and not ${kind}::text = any("mutedEmails") and not "isService" returning email, "emailKey"`,
  );
  if (!user) return null;
  const unsubscribe = `${publicUrl}/emails/${userId}/${kind}/${user.emailKey}`;
  const after = [...letter.after, `You do not want such e-mails? End them here: ${unsubscribe}`];
  return { ...layOutEmail({ ...letter, to: user.email, after }), unsubscribe };
}

interface Ended {
  readonly userId: string;
  readonly kind: string;
  readonly key: string;
}

/** Whether these are the parts of the address of an e-mail. */
export async function isNoticeAddress(database: Database, { userId, kind, key }: Ended): Promise<boolean> {
  if (!isIdOf("User", userId) || !isNoticeKind(kind)) return false;
  const [user] = await database.query<{ emailKey: string | null }>(
    sql`select "emailKey" from "User" where id = ${userId}`,
  );
  return isSameSecret(user?.emailKey ?? null, key);
}

/** Ends a kind of e-mails by the address in one of them. False if it is not one. Idempotent. */
export async function endNotices(database: Database, ended: Ended): Promise<boolean> {
  if (!(await isNoticeAddress(database, ended))) return false;
  await database.query(
    sql`update "User" set "mutedEmails" = array_append("mutedEmails", ${ended.kind}::text)
      where id = ${ended.userId} and not ${ended.kind}::text = any("mutedEmails")`,
  );
  return true;
}
