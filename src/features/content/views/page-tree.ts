// The tree of pages of a content, in the application and on published sites.
import { html, type Html } from "#src/http/html.ts";
import { chevronIcon, emojiOf, linkIcon } from "#src/pages/icons.ts";

/** A page in the list of all pages in reading order; `level` is 1 at the top. */
export interface TreePage {
  readonly pageId: string;
  readonly title: string;
  readonly level: number;
  readonly type: "DOCUMENT" | "GROUP" | "LINK" | "COMPUTED";
  readonly emoji: string | null;
}

/** The page that is shown, and the ids of its ancestors. */
export interface OpenPage {
  readonly pageId: string;
  readonly above: readonly string[];
}

const current = html`aria-current="page"`;

/** A tree with more pages has only the branches of the open page. */
const mostShown = 400;

interface Branch<One> {
  readonly page: One;
  readonly below: Branch<One>[];
}

/** The tree of pages, with the open page and its ancestors unfolded. */
export function pageTree<One extends TreePage>(
  pages: readonly One[],
  open: OpenPage | null,
  addressOf: (page: One) => string,
): Html {
  const unfolded = new Set(open && [...open.above, open.pageId]);
  const isShort = pages.length <= mostShown;
  const branchOf = ({ page, below }: Branch<One>): Html => {
    const isUnfolded = unfolded.has(page.pageId) || page.type === "GROUP";
    const list = below.length > 0 && (isShort || isUnfolded) ? listOf(below) : null;
    if (page.type === "GROUP")
      return html`<li class="group"><span>${emojiOf(page.emoji)}${page.title}</span>${list ?? ""}</li>`;
    return html`<li>
      <a href="${addressOf(page)}" ${page.pageId === open?.pageId ? current : ""}
        >${emojiOf(page.emoji)}<span>${page.title}</span>${page.type === "LINK" ? linkIcon : ""}</a
      >
      ${
        list
          ? html`<details ${isUnfolded ? html`open` : ""}>
              <summary aria-label="Pages below ${page.title}">${chevronIcon}</summary>
              ${list}
            </details>`
          : ""
      }
    </li>`;
  };
  const listOf = (branches: readonly Branch<One>[]): Html =>
    html`<ul>
      ${branches.map(branchOf)}
    </ul>`;
  return pages.length === 0 ? html`<p class="soft">This space has no pages.</p>` : listOf(branchesOf(pages));
}

/** The branches of a list in the order of the tree: parents before children, one level deeper. */
function branchesOf<One extends TreePage>(pages: readonly One[]): Branch<One>[] {
  const top: Branch<One>[] = [];
  const path: Branch<One>[] = [];
  for (const page of pages) {
    const branch: Branch<One> = { page, below: [] };
    path.length = Math.min(path.length, page.level - 1);
    (path.at(-1)?.below ?? top).push(branch);
    path.push(branch);
  }
  return top;
}
