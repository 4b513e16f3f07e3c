// The pages that a thread computes from the latest version of a specification.
import { ThreadPool } from "#src/runtime/threads.ts";
import type { MadeContent } from "#src/features/content/model/computed.ts";
import { type PagesTask, pagesVersion } from "#src/features/openapi/model/pages/make-pages.ts";
import { buffer } from "node:stream/consumers";
import { project } from "#src/db/reading/entity.ts";
import { sql } from "#src/db/connection/database.ts";
import { defineComputed } from "#src/features/content/commands/computed-kinds.ts";
import { specEvents, specTerminalEvents } from "#src/features/openapi/events.ts";
import { findSource, findSpecOfName, openSpecDocument } from "#src/features/openapi/reads/specs.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Transaction } from "#src/domain/change.ts";
import { canSeeSpace } from "#src/access/content.ts";

/** In milliseconds: far more than any harmless specification needs. */
const timeLimit = 60_000;

const pool = new ThreadPool<PagesTask, MadeContent>(new URL("../model/pages/make-pages.ts", import.meta.url), {
  threads: 1,
  megabytes: 1024,
  needs: (tasks) => 64 + Math.max(0, ...tasks.map(({ json }) => json.length)) / 20_000,
});

/** Writes descriptions that take too long to parse as plain text; a page that is too large contains only a notice. */
export async function makeInThread(asked: Omit<PagesTask, "parses">): Promise<MadeContent> {
  for (const parses of [true, false]) {
    const { answers } = await pool.run([{ ...asked, parses }], timeLimit);
    if (answers[0]) return answers[0];
  }
  return { made: asked.made, text: "*The specification is too large for pages to be made of it.*", pages: [] };
}

export const openApiPages = defineComputed({
  type: "builtin:openapi",
  current: sql`(select o."lastVersionId" || ${`/${pagesVersion}`} from "OpenApiSpec" o
    where o."organizationId" = c."organizationId" and (o."slug" = c.spec or o.id = c.spec))`,
  follows: [specEvents.versionAdded, specTerminalEvents.deleted],
  isSeen: async (context, { organizationId, spec: name }) =>
    (await findSpecOfName(context, { organizationId, name }, project([]))) !== null,
  async make(at, page) {
    const [versionId = ""] = page.made.split("/");
    const document = await openSpecDocument(at, versionId);
    if (!document) return { made: page.made, text: "", pages: [] }; // deleted meanwhile: the page will be refreshed
    return makeInThread({ ...page, json: await buffer(document), source: await findSource(at, versionId) });
  },
});

type ComputedPage = { readonly spaceId: string; readonly path: string };

/** The pages of the organization that are computed from a specification, without those generated below them. */
export async function findComputedPages(
  transaction: Transaction,
  viewer: Viewer,
  { spec, most }: { spec: { id: string; organizationId: string; slug: string }; most: number },
): Promise<{ pages: readonly ComputedPage[]; count: number }> {
  const found = await transaction.$queryRaw<(ComputedPage & { isSeen: boolean; count: number })[]>(
    sql`select p."spaceId", p."path", ${canSeeSpace(viewer)} as "isSeen", count(*) over ()::int as count
      from "PresentPage" p join "Space" t on t.id = p."spaceId"
      where t."organizationId" = ${spec.organizationId} and t."deletedAt" is null and p."type" = 'computed'
        and p."fields"->'computed'->>'spec' in (${spec.slug}, ${spec.id})
        and not exists (select from "PresentPage" a where a."spaceId" = p."spaceId" and a."pageId" = p."parentId" and a."type" = 'computed')
      order by "isSeen" desc, p."spaceId", p."path" limit ${most}`,
  );
  return { pages: found.filter(({ isSeen }) => isSeen), count: found[0]?.count ?? 0 };
}
