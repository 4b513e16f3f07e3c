// The rows of comments and replies as they are now, held until the transaction ends, so that changes of one come one
// after another.
import { notFound } from "#src/base/errors.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { CommentStatus } from "#src/generated/prisma/enums.ts";

/** Holds a comment. NOT_FOUND when it is gone. */
export async function lockComment(
  transaction: Transaction,
  id: string,
): Promise<{ markdown: string; status: CommentStatus }> {
  const [row] = await transaction.$queryRaw<{ markdown: string; status: CommentStatus }[]>`
    select markdown, status from "Comment" where id = ${id} for no key update`;
  if (!row) throw notFound("comment");
  return row;
}

/** Holds a reply. NOT_FOUND when it is gone. */
export async function lockReply(transaction: Transaction, id: string): Promise<{ markdown: string }> {
  const [row] = await transaction.$queryRaw<{ markdown: string }[]>`
    select markdown from "CommentReply" where id = ${id} for no key update`;
  if (!row) throw notFound("reply");
  return row;
}
