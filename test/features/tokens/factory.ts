// Creates API tokens for tests.
import { newToken } from "#src/access/tokens.ts";
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, type Rows } from "#test/support/rows.ts";

/** A valid token of `userId`; `token` is its text. Set `expiresAt` or `revokedAt` for an invalid one. */
export function addToken(rows: Rows, given: { userId: string } & Partial<Prisma.ApiTokenCreateManyInput>) {
  const { token, hash } = newToken();
  const row = rows.add("ApiToken", {
    id: newId("ApiToken"),
    name: "test",
    hash,
    createdAt: nextInstant(),
    ...given,
  });
  return { ...row, token };
}
