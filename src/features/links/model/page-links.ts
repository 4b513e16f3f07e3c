// The links of pages: in their texts and included reusable contents, their covers, and the targets of link pages.
import type { ContentState } from "#src/features/content/model/content-state.ts";
import type { PageRow } from "#src/features/content/model/page.ts";
import type { LinkRelation, TextLink } from "#src/features/links/model/text-links.ts";

export interface PageLink {
  readonly relation: LinkRelation;
  readonly address: string;
  readonly page: PageRow;
}

type Includes = Pick<ContentState, "variables" | "reusableContents">;

export function textsOf(pages: readonly PageRow[], { reusableContents }: Includes): string[] {
  const shared = Object.values(reusableContents);
  return [...new Set([...pages, ...shared].flatMap(({ documentHash }) => documentHash ?? []))];
}

/** The distinct links of each page, in order. `links` are those of texts, by hash. */
export function linksOfPages(
  pages: readonly PageRow[],
  includes: Includes,
  links: ReadonlyMap<string, readonly TextLink[]>,
): PageLink[] {
  const linksIn = (hash: string | null): readonly TextLink[] => (hash === null ? [] : (links.get(hash) ?? []));
  return pages.flatMap((page) => {
    const found = [...outsideOfText(page), ...withIncluded(linksIn(page.documentHash), includes, linksIn)];
    const values = { ...includes.variables, ...page.fields.variables };
    const distinct = new Map<string, PageLink>();
    for (const { relation, address: written } of found) {
      const address = withValues(written, values);
      distinct.set(`${relation} ${address}`, { relation, address, page });
    }
    return [...distinct.values()];
  });
}

function outsideOfText({ fields: { cover, target } }: PageRow): TextLink[] {
  const covers = [cover?.file, cover?.fileDark].filter((id) => id !== undefined);
  return [
    ...covers.map((id) => ({ relation: "image", address: `file:${id}` }) as const),
    ...(target === undefined ? [] : [{ relation: "reference", address: target } as const]),
  ];
}

/** The links of a text and of the reusable contents that it includes, not recursively. */
function withIncluded(
  links: readonly TextLink[],
  { reusableContents }: Includes,
  linksIn: (hash: string | null) => readonly TextLink[],
): TextLink[] {
  return links.flatMap((link) => {
    const id = link.relation === "embed" ? reusableIn(link) : null;
    const shared = id === null ? undefined : reusableContents[id];
    return shared ? [link, ...linksIn(shared.documentHash).filter(({ relation }) => relation !== "embed")] : [link];
  });
}

/** The id of the reusable content that a link embeds; null for other links. */
export const reusableIn = ({ address }: Pick<TextLink, "address">): string | null =>
  /^reusable:(\w+)$/.exec(address)?.[1] ?? null;

const withValues = (address: string, values: Readonly<Record<string, string>>): string =>
  address.replaceAll(/\{\{[ \t]*([\p{L}_][\p{L}\p{N}_-]*)[ \t]*\}\}/gu, (expression, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? expression) : expression,
  );
