// Edits that set a page back to an earlier revision, as updates by what the page was there.
import { found, invalidInput } from "#src/base/errors.ts";
import { lastingId } from "#src/base/ids.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import type { ContentPlace } from "#src/features/content/commands/lock.ts";
import type { ContentEdit, RevertPage } from "#src/features/content/model/apply-edits.ts";
import type { PageInput } from "#src/features/content/model/checks.ts";
import type { PageState } from "#src/features/content/model/page.ts";
import { readText } from "#src/features/content/reads/page-texts.ts";
import { pagesOf } from "#src/features/content/reads/pages.ts";
import { editableChangeRequests, revisions } from "#src/features/content/reads/revisions.ts";

/** The edits with an update in place of each that reverts a page. NOT_FOUND if the revision or page does not exist. */
export function withoutReverts(
  context: Context,
  place: ContentPlace,
  edits: readonly ContentEdit[],
): Promise<readonly ContentEdit[]> {
  return Promise.all(
    edits.map(async (edit, index): Promise<ContentEdit> => {
      if (!edit.revertPage) return edit;
      const revisionId = edit.revertPage.revisionId ?? (await baseOf(context, place, `edits/${index}/revertPage`));
      return { updatePage: await pageIn(context, place, { ...edit.revertPage, revisionId }) };
    }),
  );
}

/** The revision of the main content on which a change request is based. INVALID_INPUT for the main content. */
async function baseOf(context: Context, { changeRequestId }: ContentPlace, at: string): Promise<string> {
  if (changeRequestId === null) throw invalidInput(`${at}/revisionId`, "is required for the main content.");
  const columns = project(["revisionInitialId", "revisionMergedAncestorId"]);
  const base = await context.reader.found(editableChangeRequests, changeRequestId, columns);
  return base.revisionMergedAncestorId ?? base.revisionInitialId;
}

async function pageIn(
  context: Context,
  { spaceId }: ContentPlace,
  { pageId, revisionId }: RevertPage & { readonly revisionId: string },
): Promise<PageInput & { pageId: string }> {
  const columns = project(["spaceId", "treeHash"]);
  const revision = await context.reader.found(revisions, revisionId, columns);
  const tree = await pagesOf(context, found(revision.spaceId === spaceId ? revision : null, "revision"));
  const page = found(tree.byId.get(lastingId("Page", pageId)) ?? null, "page");
  const { type, documentHash } = page;
  const markdown = documentHash === null ? "" : await readText(context, documentHash);
  return { pageId, ...inputOf(page), ...(type === "document" && { markdown }) };
}

/** The input that makes a page what it was: null clears what it did not have. */
function inputOf({ title, slug, fields }: PageState): PageInput {
  const { emoji = null, icon = null, description = null, layout = null, cover, variables = {} } = fields;
  const { hidden = false, noIndex = false, noRobotsIndex = false, target, computed } = fields;
  const texts = { title, slug, emoji, icon, description, target };
  return {
    ...texts,
    layout,
    hidden,
    noIndex,
    noRobotsIndex,
    computed,
    cover: cover ? { fileId: cover.file, fileDarkId: cover.fileDark, yPos: cover.yPos } : null,
    variables: Object.entries(variables).map(([name, value]) => ({ name, value })),
  };
}
