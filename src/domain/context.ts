// The context of one operation: the viewer, their reader, and what commands need.
import type { Logger } from "pino";
import type { Clock } from "#src/base/time.ts";
import { Budget, operationAllowance } from "#src/db/budget.ts";
import type { Database } from "#src/db/database.ts";
import { Reader } from "#src/db/reader.ts";
import type { Feed } from "#src/events/feed.ts";
import type { OutboxPosition } from "#src/events/outbox-position.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Addresses, Links } from "#src/base/links.ts";
import type { Viewers } from "#src/access/viewers.ts";

/** What every resolver, read and command gets. One for each operation. */
export interface Context {
  readonly viewer: Viewer;
  readonly reader: Reader<Viewer>;
  readonly database: Database;
  readonly files: FileStore;
  readonly viewers: Viewers;
  readonly feed: Feed;
  /** Where the feed stood when the operation began: everything before is in what it reads. */
  readonly began: OutboxPosition;
  readonly clock: Clock;
  readonly log: Logger;
  readonly requestId: string;
  /** The address under which this gateway is reached, without a slash at the end; `urls.location` starts with it. */
  readonly publicUrl: string;
  /** Makes the links to applications and to published content. */
  readonly links: Links;
}

/** What does not change between operations. */
export type Environment = Pick<Context, "database" | "files" | "viewers" | "feed" | "clock" | "log"> & Addresses;

/** The context of one operation, with a reader of its own. */
export function makeContext(
  environment: Environment,
  viewer: Viewer,
  requestId: string,
  allowance = operationAllowance,
): Context {
  const { database, feed } = environment;
  const reader = new Reader(database, viewer, new Budget(allowance));
  return { ...environment, links: new Links(environment), viewer, requestId, began: feed.position, reader };
}

/**
 * Makes the rest of the operation go by the viewer's rights and the rows of this moment.
 * Answers false, and leaves the viewer as they were, when their token was revoked.
 */
export async function renewViewer(context: Context): Promise<boolean> {
  const viewer = await context.viewers.renew(context.viewer);
  if (viewer) Object.assign(context, { viewer }); // read-only for everybody else: rights change nowhere but here
  context.reader.readFor(context.viewer);
  return viewer !== null;
}
