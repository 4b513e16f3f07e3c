// The languages of a page: its translations on the same site that the visitor sees.
import type { Context } from "#src/domain/context.ts";
import { findPage, type PageTree } from "#src/features/content/model/page.ts";
import { pagesOf } from "#src/features/content/reads/pages.ts";
import type { PublishedPage, PublishedSpace } from "#src/features/published-sites/reads/pages.ts";
import { codeOf } from "#src/features/translations/model/languages.ts";
import { targetPageId } from "#src/features/translations/model/target-pages.ts";
import { type TranslationBetween, translationsInto } from "#src/features/translations/reads.ts";

export interface InLanguage {
  /** The code in the form of BCP 47, such as `pt-br`. */
  readonly language: string;
  readonly page: PublishedPage;
}

/** The page in each language, the source first; empty if it is not translated. One statement for all pages. */
export async function listLanguages(context: Context, page: PublishedPage): Promise<InLanguage[]> {
  const { siteSpaces } = page.space.of.shown;
  if (siteSpaces.length < 2) return [];
  const places = new Map([...siteSpaces.toReversed(), page.space].map((space) => [space.spaceId, space]));
  const all = await context.reader.once(page.space.of, "translations", () =>
    translationsInto(context, [...places.keys()]),
  );
  const sourceId = all.find(({ resultSpaceId }) => resultSpaceId === page.space.spaceId)?.sourceSpaceId;
  const source = places.get(sourceId ?? page.space.spaceId);
  const group = all.filter(({ sourceSpaceId }) => sourceSpaceId === source?.spaceId);
  const [first] = group;
  if (!source || !first) return [];
  const tree = await pagesOf(context, source.revision);
  const original = sourceId === undefined ? page.page.pageId : sourcePageId(tree, page, group);
  const targets = group.map((one) => ({
    language: codeOf(one.language),
    space: places.get(one.resultSpaceId),
    id: original && targetPageId(one.id, original),
  }));
  const languages = [{ language: codeOf(first.sourceLanguage), space: source, id: original }, ...targets];
  const found = await Promise.all(languages.map((one) => inLanguage(context, one)));
  return found.flatMap((one) => one ?? []);
}

/** The id of the page that was translated; null if the source no longer has it. */
function sourcePageId(
  { byId }: PageTree,
  { space, page }: PublishedPage,
  group: readonly TranslationBetween[],
): string | null {
  const translation = group.find(({ resultSpaceId }) => resultSpaceId === space.spaceId);
  if (!translation) return null;
  for (const id of byId.keys()) if (targetPageId(translation.id, id) === page.pageId) return id;
  return null;
}

interface Wanted {
  readonly language: string;
  readonly space: PublishedSpace | undefined;
  readonly id: string | null;
}

async function inLanguage(context: Context, { language, space, id }: Wanted): Promise<InLanguage | null> {
  if (!space || id === null) return null;
  const page = findPage(await pagesOf(context, space.revision), { id });
  return page && { language, page: { space, page } };
}
