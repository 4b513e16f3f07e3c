// How pages are computed: the kinds of it, which features add, each for a type of `PageComputed`.
//
// What is made of a computed page is stored as its text and as pages below it, like what was written: by hash, in the
// trees of revisions. So search, links, published sites and all who read pages see nothing special. When what a page is
// made from is another one, as with a new version of a specification, the active revision gets another tree
// (compute.ts), or the content another revision where its space wants that.
import type { Sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import type { MadeContent } from "#src/features/content/model/computed.ts";
import type { PageComputed } from "#src/features/content/model/page.ts";
import type { JobContext } from "#src/jobs/job.ts";

/** A computed page that is to be made. */
interface PageToMake {
  readonly pageId: string;
  readonly computed: PageComputed;
  /** What it is to be made from, as `current` says. */
  readonly made: string;
  /** How many pages there may be below it, and on how many levels. */
  readonly room: { readonly pages: number; readonly levels: number };
}

/** A way to compute pages. */
export interface ComputedKind {
  readonly type: PageComputed["type"];
  /**
   * What pages are made from at present, in SQL on a row `c ("organizationId", spec)`: a text that names just that, or
   * null where there is nothing.
   */
  readonly current: Sql;
  /** Events in an organization after which pages may be made from something else. */
  readonly follows: readonly string[];
  /** Whether the viewer sees what a page of the organization would be made from. */
  readonly isSeen: (context: Context, of: { organizationId: string; spec: string }) => Promise<boolean>;
  /** Makes a page. It may take seconds. */
  readonly make: (at: Pick<JobContext, "files" | "database">, page: PageToMake) => Promise<MadeContent>;
}

const kinds = new Map<PageComputed["type"], ComputedKind>();

/** Adds a kind, one for each type. */
export function defineComputed(kind: ComputedKind): ComputedKind {
  kinds.set(kind.type, kind);
  return kind;
}

/** All kinds. */
export const computedKinds: ReadonlyMap<PageComputed["type"], ComputedKind> = kinds;
