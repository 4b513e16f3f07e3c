// The answers that the views of the reader show: sites and spaces in one form, as the queries of pages.ts select them.
import type { Range } from "#src/features/content/views/marked.ts";
import type { Heading } from "#src/features/content/views/outline.ts";
import type { TreePage as PageInTree } from "#src/features/content/views/page-tree.ts";
import { robotsTagOf } from "#src/features/published-sites/model/robots.ts";

export interface Linked {
  readonly title: string;
  /** The path below the address of the site. */
  readonly path: string;
}

export interface SiteProfile {
  readonly id: string;
  readonly title: string;
  readonly emoji?: string | null;
  readonly icon?: {
    readonly emoji: string | null;
    readonly images: Pictures | null;
  } | null;
  readonly visibility: string;
  /** Absent for spaces, which exclude nobody. */
  readonly agentsContext?: string;
  readonly urls: { readonly published: string | null };
}

export interface Pictures {
  readonly light: string | null;
  readonly dark: string | null;
}

/** The appearance that the owner of a site chose. */
interface Customization {
  readonly title: string;
  readonly primaryColor: { readonly light: string; readonly dark: string } | null;
  readonly logo: Pictures | null;
  readonly font: string;
  readonly fontFamily: string;
  readonly headerLinks: readonly { readonly title: string; readonly url: string }[];
  readonly footer: string | null;
}

export interface Section extends Linked {
  readonly __typename: "PublishedSection";
  readonly id: string;
  readonly description: string | null;
}

interface SectionGroup {
  readonly __typename: "PublishedSectionGroup";
  readonly id: string;
  readonly title: string;
  readonly sections: readonly Omit<Section, "__typename">[];
}

export type Entry = Section | SectionGroup | { readonly __typename: "PublishedSpace" };

/** A site space that readers may switch to. */
export interface Variant extends Linked {
  readonly id: string;
  readonly emoji: string | null;
  readonly siteSection: { readonly id: string; readonly path: string } | null;
}

type TreePage = PageInTree & Linked;

/** The site space that contains the page, with its tree of pages. */
export interface ShownSpace extends Linked {
  readonly id: string;
  readonly siteSection: { readonly id: string; readonly title: string; readonly path: string } | null;
  readonly pages: readonly TreePage[];
}

interface Picture {
  readonly downloadURL: string;
  readonly dimensions: { readonly width: number; readonly height: number } | null;
}

export interface Cover {
  readonly file: Picture | null;
  readonly fileDark: Picture | null;
  readonly yPos: number | null;
}

export interface Layout {
  readonly width: "DEFAULT" | "WIDE" | null;
  readonly cover: boolean | null;
  readonly coverSize: "HERO" | "FULL" | "BACKGROUND" | null;
  readonly title: boolean | null;
  readonly description: boolean | null;
  readonly tableOfContents: boolean | null;
  readonly outline: boolean | null;
  readonly pagination: boolean | null;
  readonly metadata: boolean | null;
}

export interface ShownPage extends TreePage {
  readonly description: string | null;
  readonly updatedAt: string;
  readonly noRobotsIndex: boolean;
  /** Sanitised HTML. */
  readonly html: string | null;
  readonly outline: readonly Heading[];
  readonly target: string | null;
  readonly editURL: string | null;
  readonly layout: Layout | null;
  readonly cover: Cover | null;
  readonly languages: readonly {
    readonly language: string;
    readonly page: Pick<ShownPage, "pageId" | "path" | "urls">;
  }[];
  readonly breadcrumbs: readonly TreePage[];
  readonly previous: Linked | null;
  readonly next: Linked | null;
  readonly children: readonly (TreePage & { readonly description: string | null })[];
  readonly urls: { readonly published: string | null };
}

/** A site or a space for its readers: everything around a page. */
export interface Site {
  readonly site: SiteProfile;
  /** Null for a space, which has none. */
  readonly customization: Customization | null;
  readonly entries: readonly Entry[];
  readonly siteSpaces: readonly Variant[];
}

/** A site or a space at a path. */
export interface SiteAt extends Site {
  readonly space: ShownSpace | null;
  readonly page: ShownPage | null;
}

export interface Hit extends Linked {
  readonly sections: readonly {
    readonly path: string;
    readonly title: string;
    readonly titleMatches: readonly Range[];
    readonly body: string;
    readonly bodyMatches: readonly Range[];
  }[];
}

export interface Found {
  readonly totalCount: number;
  readonly nodes: readonly Hit[];
  /** The site space of each of these; absent in a search of one space. */
  readonly places?: readonly {
    readonly siteSpace: { readonly title: string; readonly siteSection: { readonly title: string } | null };
  }[];
}

/** Whether agents may read it. */
export const agentsContextOf = ({ agentsContext }: SiteProfile): "EXCLUDED" | "INCLUDED" =>
  agentsContext === "EXCLUDED" ? "EXCLUDED" : "INCLUDED";

/** The header `X-Robots-Tag` of a page; undefined if it restricts nothing. */
export const robotsFor = (site: SiteProfile, isListed: boolean): string | undefined =>
  robotsTagOf({ agentsContext: agentsContextOf(site), isListed }) ?? undefined;

/** Whether anybody may read it, without a key or a token. */
export const isOpenToAnybody = ({ visibility }: SiteProfile): boolean =>
  visibility === "PUBLIC" || visibility === "UNLISTED";
