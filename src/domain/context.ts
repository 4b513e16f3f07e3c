// The context of one operation: the viewer, their reader, and what commands need.
import type { Logger } from "pino";
import type { Clock } from "#src/base/time.ts";
import type { Database } from "#src/db/database.ts";
import { Reader } from "#src/db/reader.ts";
import { makeViewer, type Viewer } from "#src/access/viewer.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** What every resolver, read and command gets. One for each operation. */
export interface Context {
  readonly viewer: Viewer;
  readonly reader: Reader<Viewer>;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly requestId: string;
  /** The address under which this gateway is reached, without a slash at the end; links in `urls` start with it. */
  readonly publicUrl: string;
}

/** What does not change between operations. */
export type Environment = Pick<Context, "database" | "clock" | "log" | "publicUrl">;

/** The context of one operation, with a reader of its own. */
export function makeContext(environment: Environment, viewer: Viewer, requestId: string): Context {
  return { ...environment, viewer, requestId, reader: new Reader(environment.database, viewer) };
}

/**
 * Makes the rest of the operation see the viewer with this role in an organization (null a guest, undefined not in it any more).
 * For commands that change the viewer's own membership, so that the payload is read under the rights that they have now.
 */
export function renewMembership(context: Context, organizationId: string, role: Role | null | undefined): void {
  const others = [...context.viewer.memberships].filter(([id]) => id !== organizationId);
  const memberships = role === undefined ? others : [...others, [organizationId, role] as const];
  const viewer = { ...makeViewer({ ...context.viewer, memberships }), shareKey: context.viewer.shareKey };
  Object.assign(context, { viewer }); // read-only for everybody else: rights change nowhere but here
  context.reader.readFor(viewer);
}
