// The command that repairs links by path: converts those that lead to a page to links by id, in one revision.
import { requireAllowed } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { invalidInput } from "#src/base/errors.ts";
import { editContent } from "#src/features/content/commands/edit.ts";
import { loadTarget, type RevisionInput } from "#src/features/content/commands/new-revision.ts";
import { inTreeOrder, type PageRow, type PageTree } from "#src/features/content/model/page.ts";
import { readText } from "#src/features/content/reads/page-texts.ts";
import { pagesOf } from "#src/features/content/reads/pages.ts";
import { isPath, pageAt } from "#src/features/links/model/paths.ts";
import { linksIn } from "#src/features/links/model/text-links.ts";
import { linksOfContent } from "#src/features/links/reads/content-links.ts";
import { contentIn } from "#src/features/links/reads/linked-content.ts";
import { onSpace } from "#src/features/spaces/access.ts";

export const mayRepairLinks = onSpace(
  "edit",
  "content.repairLinks",
  "You need the role edit on a space to repair the links of its content.",
);

/** Maximum number of pages per call: the limit of edits in a batch. */
const pageLimit = 1000;

/** Replaces links by path to pages with links by id. Throws like `editContent`; INVALID_INPUT above 1,000 pages. */
export async function repairLinks(context: Context, input: RevisionInput) {
  const target = await loadTarget(context, input);
  await requireAllowed(context, mayRepairLinks, target.space);
  const revisionId = input.expectedRevisionId ?? target.revisionId;
  const content = await contentIn(context, { id: target.revisionId });
  const tree = await pagesOf(context, content);
  const links = await linksOfContent(context, content);
  const byPath = links.filter(({ isByPath, status }) => isByPath && status === "ok");
  const pageIds = new Set(byPath.map(({ page }) => page.pageId));
  const pages = inTreeOrder(tree.pages).filter(({ pageId }) => pageIds.has(pageId));
  const problem = `has more than ${pageLimit} pages with links by path. Repair them with \`editContent\` in several steps.`;
  if (pages.length > pageLimit) throw invalidInput("contentOf", problem);
  const repaired = await Promise.all(
    pages.map(async (page) => repairedText(tree, page, await readText(context, page.documentHash))),
  );
  const edits = pages.map(({ pageId }, index) => ({ updatePage: { pageId, markdown: repaired[index]?.text ?? "" } }));
  const answer = {
    repairedLinkCount: repaired.reduce((sum, { count }) => sum + count, 0),
    pageCount: repaired.filter(({ count }) => count > 0).length,
  };
  return answersWith(context, answer, () => editContent(context, { ...input, expectedRevisionId: revisionId, edits }));
}

function repairedText(tree: PageTree, page: PageRow, text: string): { text: string; count: number } {
  const parts: string[] = [];
  let done = 0;
  for (const { address, start, end } of linksIn(text)) {
    const found = isPath(address) && start >= done ? pageAt(tree, address, page) : null;
    if (!found) continue;
    const anchor = found.anchor === null ? "" : `#${found.anchor}`;
    parts.push(text.slice(done, start), `page:${found.page.pageId}${anchor}`);
    done = end;
  }
  return { text: [...parts, text.slice(done)].join(""), count: parts.length / 2 };
}
