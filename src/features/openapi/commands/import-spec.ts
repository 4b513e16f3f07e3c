// The source `openapi` of imports: a page computed from a known specification, else pages that are created once.
import { found, invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import { contentLimit } from "#src/features/content/model/draft.ts";
import type { NewPage } from "#src/features/content/model/page.ts";
import { defineImportSource } from "#src/features/imports/commands/open-address.ts";
import type { Entry } from "#src/features/imports/model/contents.ts";
import { ImportFiles } from "#src/features/imports/model/files.ts";
import { inMemory } from "#src/features/imports/model/open-import.ts";
import type { OpenApiSpecModel } from "#src/generated/prisma/models.ts";
import { canSeeSpec } from "#src/features/openapi/access.ts";
import { FetchedFiles, readFrom, SourceError } from "#src/features/openapi/commands/read-source.ts";
import { makeInThread } from "#src/features/openapi/commands/computed-pages.ts";

/** The levels reserved for pages above those of a specification. */
const levelsAround = 5;

defineImportSource("openapi", async (url, { context, organizationId, signal, report }) => {
  const known = await findSpec(context, organizationId, url);
  report({ found: 1 });
  if (known) return inMemory(ImportFiles.of([]), { contents: [computedEntry(known)] });
  try {
    await using source = new FetchedFiles(
      { fetch: context.fetch, signal },
      { url, known: { etag: null, lastModified: null } },
    );
    const first = found(await source.first(), "document"); // unconditional, hence never null
    const { made } = await readFrom(source, first);
    const room = { pages: contentLimit.pages - 1, levels: contentLimit.levels - levelsAround };
    const computed = { type: "builtin:openapi", spec: "import" } as const;
    const pageId = newId("Page");
    const { text, pages } = await makeInThread({ json: made.document, pageId, computed, made: "", room, source: url });
    const page: NewPage = { pageId, type: "document", title: made.facts.title || "API", fields: {}, text, pages };
    return inMemory(ImportFiles.of(filesOf(page)), { contents: [entryOf(page)] });
  } catch (error) {
    throw error instanceof SourceError ? invalidInput("url", error.message) : error;
  }
});

type KnownSpec = Pick<OpenApiSpecModel, "slug" | "title">;

/** The specification of the organization with this address, if the viewer sees one. */
async function findSpec(
  { database, viewer }: Context,
  organizationId: string,
  url: string,
): Promise<KnownSpec | undefined> {
  const [spec] = await database.query<KnownSpec>(
    sql`select t."slug", t."title" from "OpenApiSpec" t
      where t."organizationId" = ${organizationId} and t."sourceUrl" = ${url} and ${canSeeSpec(viewer)} order by t."createdAt", t.id limit 1`,
  );
  return spec;
}

const computedEntry = ({ slug, title }: KnownSpec): Entry => ({
  path: null,
  target: null,
  computed: { type: "builtin:openapi", spec: slug },
  title: title ?? slug,
  name: slug,
  entries: [],
});

/** Each page is a file named by its id, so that links between pages become links between files. */
const pathOf = (pageId: string | undefined): string => `${pageId}.md`;

const entryOf = ({ pageId, title, slug, pages = [] }: NewPage): Entry => ({
  path: pathOf(pageId),
  target: null,
  title,
  name: slug ?? title,
  entries: pages.map(entryOf),
});

function* filesOf({ pageId, text = "", pages = [] }: NewPage): Generator<readonly [string, string]> {
  yield [pathOf(pageId), text.replaceAll(/\]\(page:(pag_\w+)\)/g, (_link, id: string) => `](/${pathOf(id)})`)];
  for (const page of pages) yield* filesOf(page);
}
