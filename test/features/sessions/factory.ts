// Signs users in for tests, as an accepted sign-in does; and creates rows of sessions.
import { openSession, sessionCookie, sessionSecretIn } from "#src/access/sessions.ts";
import { hashToken, newSecret } from "#src/access/tokens.ts";
import { newId } from "#src/base/ids.ts";
import { noOrigin } from "#src/events/audit.ts";
import type { TestApp } from "#test/support/app.ts";
import { nextInstant, type Rows } from "#test/support/rows.ts";

/** A session of a user, whose secret is unknown. */
export function addSession(rows: Rows, { userId }: { userId: string }) {
  const id = newId("Session");
  const expiresAt = new Date(Date.now() + 3_600_000);
  const hash = hashToken(newSecret("dgs_"));
  return rows.add("Session", { id, userId, way: "email", hash, createdAt: nextInstant(), expiresAt });
}

/** A session of a user; `cookie` is the header with which a browser sends it. */
export async function signIn(
  { database, url }: TestApp,
  given: { userId: string } & Partial<Parameters<typeof openSession>[1]>,
) {
  const opened = await database.prisma.$transaction((transaction) =>
    openSession(transaction, { way: "email", origin: noOrigin, at: new Date(), ...given }),
  );
  const cookie = sessionCookie(opened.secret, url).split(";")[0] ?? "";
  if (sessionSecretIn(cookie, url) !== opened.secret) throw new Error("The cookie does not contain the secret.");
  return { ...opened, cookie };
}
