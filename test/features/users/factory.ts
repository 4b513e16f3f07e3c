// Creates users for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";
import { noteName } from "#test/support/sort-names.ts";

/** A user with a unique e-mail address at example.com. */
export function addUser(rows: Rows, given: Partial<Prisma.UserCreateManyInput> = {}) {
  const number = nextNumber();
  const user = rows.add("User", {
    id: newId("User"),
    email: `user-${number}@example.com`,
    displayName: `User ${number}`,
    createdAt: nextInstant(),
    ...given,
  });
  noteName(rows, user);
  return user;
}
