// The command that repairs links: those by path to a page become links by id, and other names of headings become
// their anchors, in one revision.
import { requireAllowed } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { invalidInput } from "#src/base/errors.ts";
import { editContent } from "#src/features/content/commands/edit.ts";
import { loadTarget, type RevisionInput } from "#src/features/content/commands/new-revision.ts";
import { inTreeOrder, type PageRow, type PageTree } from "#src/features/content/model/page.ts";
import { readText } from "#src/features/content/reads/page-texts.ts";
import { replaceRanges } from "#src/base/text/forms.ts";
import { referenceOfAddress } from "#src/documents/references.ts";
import { type Lookups, lookupsFor } from "#src/features/links/reads/lookups.ts";
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

/**
 * Replaces links by path to pages with links by id, and other names of headings with their anchors. Throws like
 * `editContent`; INVALID_INPUT above 1,000 pages.
 */
export async function repairLinks(context: Context, input: RevisionInput) {
  const target = await loadTarget(context, input);
  await requireAllowed(context, mayRepairLinks, target.space);
  const revisionId = input.expectedRevisionId ?? target.revisionId;
  const content = await contentIn(context, { id: target.revisionId });
  const tree = await pagesOf(context, content);
  const links = await linksOfContent(context, content);
  const better = new BetterAddresses(context, tree);
  const found = await Promise.all(
    links.map(async (link) => (link.status === "ok" ? await better.of(link.address, link.page) : null)),
  );
  const pageIds = new Set(links.flatMap(({ page }, index) => (found[index] == null ? [] : page.pageId)));
  const pages = inTreeOrder(tree.pages).filter(({ pageId }) => pageIds.has(pageId));
  const problem = `has more than ${pageLimit} pages with links to repair. Repair them with \`editContent\` in several steps.`;
  if (pages.length > pageLimit) throw invalidInput("contentOf", problem);
  const repaired = await Promise.all(
    pages.map(async (page) => repairedText(better, page, await readText(context, page.documentHash))),
  );
  const edits = pages.map(({ pageId }, index) => ({ updatePage: { pageId, markdown: repaired[index]?.text ?? "" } }));
  const answer = {
    repairedLinkCount: repaired.reduce((sum, { count }) => sum + count, 0),
    pageCount: repaired.filter(({ count }) => count > 0).length,
  };
  return answersWith(context, answer, () => editContent(context, { ...input, expectedRevisionId: revisionId, edits }));
}

/** The addresses that links of a content should have. */
class BetterAddresses {
  readonly #lookups: Lookups;
  readonly #tree: PageTree;

  constructor(context: Context, tree: PageTree) {
    this.#lookups = lookupsFor(context);
    this.#tree = tree;
  }

  /** Another address for the same target; null if the address is good, or leads to no page of the content. */
  async of(address: string, from: PageRow): Promise<string | null> {
    const isByPath = isPath(address);
    const found = isByPath ? pageAt(this.#tree, address, from) : this.#anchored(address, from);
    if (!found) return null;
    const { page, anchor } = found;
    const own = anchor === null ? null : await this.#anchorOn(page, anchor);
    const start = !isByPath && address.startsWith("#") ? "" : `page:${page.pageId}`;
    const better = own === null ? start : `${start}#${own}`;
    return better === address ? null : better;
  }

  /** The page and anchor of a link that is not by path; null without an anchor on a page of this content. */
  #anchored(address: string, from: PageRow): { page: PageRow; anchor: string } | null {
    const reference = referenceOfAddress(address);
    if (reference.kind !== "anchor" || reference.space !== undefined) return null;
    const page = reference.page === undefined ? from : this.#tree.byId.get(reference.page);
    return page ? { page, anchor: reference.anchor } : null;
  }

  async #anchorOn({ documentHash }: PageRow, anchor: string): Promise<string> {
    const anchors = documentHash === null ? null : await this.#lookups.anchors.load(documentHash);
    return anchors?.find(anchor) ?? anchor;
  }
}

async function repairedText(better: BetterAddresses, page: PageRow, text: string) {
  const links = linksIn(text);
  const addresses = await Promise.all(links.map(({ address }) => better.of(address, page)));
  const found = links.map(({ start, end }, index) => ({ start, end, address: addresses[index] ?? null }));
  let count = 0;
  const repaired = replaceRanges(text, found, ({ address }) => {
    if (address !== null) count++;
    return address;
  });
  return { text: repaired, count };
}
