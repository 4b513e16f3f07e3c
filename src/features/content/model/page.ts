// What a page is: its values, its place in the tree, and whole trees.
import type { Instant } from "#src/base/time.ts";
import type { Optional } from "#src/domain/input.ts";
import type { PageType } from "#src/generated/prisma/enums.ts";
import { type Reference, referenceOfAddress } from "#src/documents/references.ts";

export type PageLayout = Optional<{
  width: "default" | "wide";
  cover: boolean;
  coverSize: "hero" | "full" | "background";
  title: boolean;
  description: boolean;
  tableOfContents: boolean;
  outline: boolean;
  pagination: boolean;
  metadata: boolean;
}>;

/** The picture above a page: ids of files, another one where it is dark, and how far it is moved down. */
export interface PageCover {
  readonly file: string;
  readonly fileDark?: string;
  readonly yPos?: number;
}

/** What a computed page is made from: a part of an OpenAPI specification, which is named by its slug or id. */
export interface PageComputed {
  readonly type: "builtin:openapi";
  readonly spec: string;
  /** The part to show, such as `models`; all of it where it is not there. */
  readonly doc?: string;
  /** What the present text, and the pages below, were made from; none where they were not. */
  readonly made?: string;
}

/** What a page can do without; only what is set is there. */
export interface PageFields {
  readonly emoji?: string;
  readonly icon?: string;
  readonly description?: string;
  readonly layout?: PageLayout;
  readonly cover?: PageCover;
  readonly hidden?: boolean;
  readonly noIndex?: boolean;
  readonly noRobotsIndex?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
  readonly target?: string;
  readonly computed?: PageComputed;
}

export interface PageState {
  readonly pageId: string;
  readonly type: PageType;
  readonly title: string;
  readonly slug: string;
  readonly fields: PageFields;
  readonly documentHash: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** A page to be created, with those below it. Without an id it gets a new one, without a slug one from its title. */
export interface NewPage {
  readonly pageId?: string;
  readonly type: PageType;
  readonly title: string;
  readonly slug?: string;
  readonly fields: PageFields;
  readonly text?: string;
  readonly pages?: readonly NewPage[];
}

export const hasText = (type: PageType): boolean => type === "document" || type === "computed";

/** A page in its tree. Trees are shared and never change. */
export interface PageRow extends PageState {
  readonly hash: string;
  readonly parentId: string | null;
  readonly path: string;
  readonly pages: readonly PageRow[];
  /** The hash under which just these pages are stored side by side, null for none; not there where they are not. */
  readonly childrenHash?: string | null;
}

export interface PageTree {
  readonly pages: readonly PageRow[];
  readonly byId: ReadonlyMap<string, PageRow>;
  /** That of the pages at the top, as `childrenHash` is of those below a page. */
  readonly hash?: string | null;
}

export const emptyTree: PageTree = { pages: [], byId: new Map(), hash: null };

export function findPage(tree: PageTree, by: { id: string } | { path: string }): PageRow | null {
  if ("id" in by) return tree.byId.get(by.id) ?? null;
  let page: PageRow | undefined;
  for (const slug of by.path.split("/")) {
    page = (page ?? tree).pages.find((one) => one.slug === slug);
    if (!page) return null;
  }
  return page ?? null;
}

/** All pages in the order of the tree: each before those below it, and these before the next one beside it. */
export function inTreeOrder(pages: readonly PageRow[], into: PageRow[] = []): PageRow[] {
  for (const page of pages) {
    into.push(page);
    inTreeOrder(page.pages, into);
  }
  return into;
}

/** A page of another tree with those below it: the same object when its place is the same. */
export function placedAt(page: PageRow, parentId: string | null, path: string): PageRow {
  if (page.parentId === parentId && page.path === path) return page;
  const pages = page.pages.map((below) => placedAt(below, page.pageId, `${path}/${below.slug}`));
  return { ...page, parentId, path, pages };
}

export function addAll(byId: Map<string, PageRow>, page: PageRow): void {
  byId.set(page.pageId, page);
  for (const below of page.pages) addAll(byId, below);
}

type ReferencePart = "file" | "page" | "url" | "anchor" | "space" | "user" | "collection" | "spec";

export type ContentReference = Readonly<{ kind: Reference["kind"] } & Partial<Record<ReferencePart, string>>>;

/** What a link leads to, by its form; whether it is there is another question. Null for what has none of the forms. */
export function referenceOf(link: string): ContentReference | null {
  const reference = referenceOfAddress(link);
  if (reference.kind === "url") return /^(https?|mailto):/i.test(link) && URL.canParse(link) ? reference : null;
  return reference.kind === "anchor" && reference.page === undefined ? null : reference;
}
