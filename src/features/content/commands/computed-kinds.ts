// The kinds of computed pages, which features add, each for a type of `PageComputed`.
//
// What is made of a computed page is stored as its text and as pages below it, as if it were written: search, links and
// published sites see nothing special. When its source changes, as with a new version of a specification, the active
// revision gets another tree (refresh-computed.ts), or the content another revision where its space wants that.
import { joinSql, type Sql, sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import type { MadeContent } from "#src/features/content/model/computed.ts";
import type { PageComputed } from "#src/features/content/model/page.ts";
import type { JobContext } from "#src/jobs/job.ts";

interface PageToMake {
  readonly pageId: string;
  readonly computed: PageComputed;
  /** What it is to be made from, as `current` says. */
  readonly made: string;
  /** How many pages there may be below it, and on how many levels. */
  readonly room: { readonly pages: number; readonly levels: number };
}

export interface ComputedKind {
  readonly type: PageComputed["type"];
  /** In SQL on a row `c ("organizationId", spec)`: a text that names the present source, or null without one. */
  readonly current: Sql;
  /** Events in an organization after which pages may be made from something else. */
  readonly follows: readonly string[];
  /** Whether the viewer sees what a page of the organization would be made from. */
  readonly isSeen: (context: Context, of: { organizationId: string; spec: string }) => Promise<boolean>;
  /** Makes a page. It may take seconds. */
  readonly make: (at: Pick<JobContext, "files" | "database">, page: PageToMake) => Promise<MadeContent>;
}

const kinds = new Map<PageComputed["type"], ComputedKind>();

export function defineComputed(kind: ComputedKind): ComputedKind {
  kinds.set(kind.type, kind);
  return kind;
}

export const computedKinds: ReadonlyMap<PageComputed["type"], ComputedKind> = kinds;

/** What the pages of a row `c (type, "organizationId", spec)` are made from now; null where there is nothing. */
export const currentSource = (): Sql =>
  sql`case ${joinSql(
    Array.from(kinds.values(), ({ type, current }) => sql`when c.type = ${type} then ${current}`),
    " ",
  )} end`;
