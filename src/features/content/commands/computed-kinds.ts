// The registry of kinds of computed pages: features add one for each type of `PageComputed`.
//
// The result of a computed page is stored as its text and subpages, as if a user had written them, so search, links and
// published sites need no special case. When its source changes, for example with a new version of a specification, the
// current revision gets another tree (refresh-computed.ts) or, if the space is set to, the content gets a new revision.
import { joinSql, type Sql, sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import type { MadeContent } from "#src/features/content/model/computed.ts";
import type { PageComputed } from "#src/features/content/model/page.ts";
import type { JobContext } from "#src/jobs/job.ts";

interface PageToMake {
  readonly pageId: string;
  readonly computed: PageComputed;
  /** The current source, as `current` names it. */
  readonly made: string;
  /** The maximum number of pages and levels below it. */
  readonly room: { readonly pages: number; readonly levels: number };
}

export interface ComputedKind {
  readonly type: PageComputed["type"];
  /** SQL on a row `c ("organizationId", spec)`: a text that names the current source, or null if it does not exist. */
  readonly current: Sql;
  /** Types of events in an organization after which the source of pages may have changed. */
  readonly follows: readonly string[];
  /** Whether the viewer sees the source of a page of the organization. */
  readonly isSeen: (context: Context, of: { organizationId: string; spec: string }) => Promise<boolean>;
  /** Computes a page. May take seconds. */
  readonly make: (at: Pick<JobContext, "files" | "database">, page: PageToMake) => Promise<MadeContent>;
}

const kinds = new Map<PageComputed["type"], ComputedKind>();

export function defineComputed(kind: ComputedKind): ComputedKind {
  kinds.set(kind.type, kind);
  return kind;
}

export const computedKinds: ReadonlyMap<PageComputed["type"], ComputedKind> = kinds;

/** The current source of pages of a row `c (type, "organizationId", spec)`; null if it does not exist. */
export const currentSource = (): Sql =>
  sql`case ${joinSql(
    Array.from(kinds.values(), ({ type, current }) => sql`when c.type = ${type} then ${current}`),
    " ",
  )} end`;
