// The model of pages: their fields, their position in the tree, and whole trees.
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

type WholeLayout = { readonly [Name in keyof PageLayout]-?: NonNullable<PageLayout[Name]> };

/** The layout of a page that sets nothing. */
const plainLayout: WholeLayout = {
  width: "default",
  cover: true,
  coverSize: "hero",
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
};

/** A layout with the defaults of all that it does not set. */
export const wholeLayout = (layout: PageLayout = {}): WholeLayout =>
  Object.fromEntries(
    Object.entries(plainLayout).map(([name, preset]) => [name, layout[name as keyof PageLayout] ?? preset]),
  ) as unknown as WholeLayout; // every value is of its own property

/** The cover image of a page: file ids for light and dark mode, and the vertical offset. */
export interface PageCover {
  readonly file: string;
  readonly fileDark?: string;
  readonly yPos?: number;
}

/** The source of a computed page: a part of an OpenAPI specification, named by slug or id. */
export interface PageComputed {
  readonly type: "builtin:openapi";
  readonly spec: string;
  /** The part to show, for example `models`; by default the whole specification. */
  readonly doc?: string;
  /** The source of the current text and subpages; absent if they were not computed yet. */
  readonly made?: string;
}

/** Optional fields of a page; unset ones are absent. */
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

/** A page to create, with its subpages. The id defaults to a new one, the slug to one made from the title. */
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

/** A page in its tree. Trees are shared and immutable. */
export interface PageRow extends PageState {
  readonly hash: string;
  readonly parentId: string | null;
  readonly path: string;
  readonly pages: readonly PageRow[];
  /** The hash under which exactly this list of pages is stored, null if empty; absent if it is not stored. */
  readonly childrenHash?: string | null;
}

export interface PageTree {
  readonly pages: readonly PageRow[];
  readonly byId: ReadonlyMap<string, PageRow>;
  /** The hash of the top-level pages, like `childrenHash` of a page. */
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

/** All pages in depth-first order, parents first. */
export function inTreeOrder(pages: readonly PageRow[], into: PageRow[] = []): PageRow[] {
  for (const page of pages) {
    into.push(page);
    inTreeOrder(page.pages, into);
  }
  return into;
}

/** A page of another tree with its subpages at a new position: the same object if the position is the same. */
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

/** The target of a link, by its syntax; it may not exist. Null if the syntax is not valid. */
export function referenceOf(link: string): ContentReference | null {
  const reference = referenceOfAddress(link);
  if (reference.kind === "url") return /^(https?|mailto):/i.test(link) && URL.canParse(link) ? reference : null;
  return reference.kind === "anchor" && reference.page === undefined ? null : reference;
}
