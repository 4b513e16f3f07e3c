// Loads a history into a space: everything in one transaction, in batches.
import { DomainError } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { History } from "#src/history/history-file.ts";
import { contributorsOf, historyRows, numbersOf } from "#src/history/history-rows.ts";
import type { Contributor, HistoryRows } from "#src/history/history-rows.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";

export interface LoadOptions {
  readonly spaceId: string;
  /** Called after every batch with the number of rows written so far. */
  readonly onProgress?: (done: number, total: number) => void;
}

const batchSize = 500;

/**
 * Loads a history into a space; authors become users at example.com, and members with the role `edit`. Throws, with
 * nothing changed, NOT_FOUND for an unknown space, and CONFLICT if it has pages or a change request with one of the
 * numbers.
 */
export async function loadHistory(database: Database, history: History, options: LoadOptions) {
  return database.prisma.$transaction(
    async (transaction) => {
      const space = await lockSpace(transaction, options.spaceId);
      const numbers = [...numbersOf(history).values()];
      await refuseKnownNumbers(transaction, space, numbers);
      await refusePages(transaction, space);
      const userIds = await provideContributors(transaction, history, space.organizationId);
      const rows = historyRows(history, space, userIds);
      await writeInBatches(transaction, rows, options.onProgress);
      await putBefore(transaction, space, rows);
      await transaction.space.update({
        where: { id: space.id },
        data: {
          revisionId: rows.main.at(-1)?.revisionId ?? space.revisionId,
          lastChangeRequestNumber: Math.max(space.lastChangeRequestNumber, ...numbers),
          updatedAt: new Date(),
        },
      });
      return {
        spaceTitle: space.title,
        changeRequests: rows.changeRequests.length,
        comments: rows.comments.length,
        pages: rows.contents.tree(rows.main.at(-1)?.treeHash ?? null).byId.size, // in the state after the last step
        revisions: rows.revisions.length,
        contributors: userIds.size,
      };
    },
    { timeout: 120_000, maxWait: 10_000 },
  );
}

/** Moves the creation of a new space before its loaded history, which follows its first revision: lists are by time. */
async function putBefore(transaction: Prisma.TransactionClient, space: LockedSpace, { main }: HistoryRows) {
  const first = Math.min(...main.map(({ time }) => time.getTime()));
  const where = { id: space.revisionId, type: "initial", createdAt: { gte: new Date(first) } } as const;
  await transaction.revision.updateMany({ where, data: { createdAt: new Date(first - 1) } });
}

interface LockedSpace {
  readonly id: string;
  readonly title: string;
  readonly organizationId: string;
  readonly revisionId: string;
  readonly lastChangeRequestNumber: number;
}

/** Locks the space until the transaction ends, so that no change request gets a number or a new base meanwhile. */
async function lockSpace(transaction: Prisma.TransactionClient, id: string): Promise<LockedSpace> {
  const [space] = await transaction.$queryRaw<LockedSpace[]>`
    select id, title, "organizationId", "revisionId", "lastChangeRequestNumber"
    from "Space" where id = ${id} and "deletedAt" is null for update`;
  if (!space) throw new DomainError("NOT_FOUND", `No space has the id ${id}.`);
  return space;
}

/** The history becomes the content of the space: pages that are there would be lost. */
async function refusePages(transaction: Prisma.TransactionClient, space: LockedSpace) {
  const revision = await transaction.revision.findUnique({
    where: { id: space.revisionId },
    select: { treeHash: true },
  });
  if (!revision || revision.treeHash === null) return;
  throw new DomainError(
    "CONFLICT",
    `The space "${space.title}" already has pages, which the history would replace. Load it into a new space. Nothing was changed.`,
  );
}

async function refuseKnownNumbers(transaction: Prisma.TransactionClient, space: LockedSpace, numbers: number[]) {
  const known = await transaction.changeRequest.findMany({
    where: { spaceId: space.id, number: { in: numbers } },
    select: { number: true },
    orderBy: { number: "asc" },
  });
  if (known.length === 0) return;
  const shown = known.slice(0, 3).map(({ number }) => number);
  const more = known.length > shown.length ? ` and ${known.length - shown.length} more` : "";
  const what = `already has change requests with numbers of this history (${shown.join(", ")}${more})`;
  throw new DomainError("CONFLICT", `The space "${space.title}" ${what}. Nothing was changed.`);
}

/** Adds missing users and members for contributors; returns the user id for every name. */
async function provideContributors(transaction: Prisma.TransactionClient, history: History, organizationId: string) {
  const contributors = [...contributorsOf(history).values()];
  const userOf = ({ name: displayName, email, since: createdAt }: Contributor) => {
    return { id: newId("User"), email, displayName, createdAt };
  };
  await transaction.user.createMany({ data: contributors.map(userOf), skipDuplicates: true });
  const users = await transaction.user.findMany({
    where: { email: { in: contributors.map(({ email }) => email) } },
    select: { id: true, email: true },
  });
  const idOf = new Map(users.map(({ id, email }) => [email, id]));
  const known = contributors.flatMap(({ name, email, since }) => {
    const userId = idOf.get(email);
    return userId === undefined ? [] : [{ name, userId, since }];
  });
  const members = known.map(({ userId, since: joinedAt }) => {
    return { id: newId("OrganizationMember"), organizationId, userId, role: "edit" as const, joinedAt };
  });
  await transaction.organizationMember.createMany({ data: members, skipDuplicates: true });
  return new Map(known.map(({ name, userId }) => [name, userId]));
}

async function writeInBatches(
  transaction: Prisma.TransactionClient,
  { contents, revisions, changeRequests, comments }: HistoryRows,
  onProgress: LoadOptions["onProgress"],
): Promise<void> {
  const total = contents.size + revisions.length + changeRequests.length + comments.length;
  let done = 0;
  const report = (count: number) => onProgress?.((done += count), total);
  async function write<Row>(all: Row[], insert: (data: Row[]) => Promise<{ count: number }>): Promise<void> {
    for (let start = 0; start < all.length; start += batchSize)
      report((await insert(all.slice(start, start + batchSize))).count);
  }
  await contents.store(transaction, report);
  await write(revisions, (data) => transaction.revision.createMany({ data }));
  await write(changeRequests, (data) => transaction.changeRequest.createMany({ data }));
  await write(comments, (data) => transaction.comment.createMany({ data }));
}
