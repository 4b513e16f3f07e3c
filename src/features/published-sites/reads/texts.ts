// The texts of published pages for visitors, with links to addresses on the site.
import type { RichDocument } from "#src/documents/document.ts";
import { referenceOfAddress } from "#src/documents/references.ts";
import type { Context } from "#src/domain/context.ts";
import { emptyTree } from "#src/features/content/model/page.ts";
import { evaluatedDocumentOf } from "#src/features/content/reads/documents.ts";
import { evaluatedTextOf } from "#src/features/content/reads/page-texts.ts";
import {
  addressesIn as addressesInHtml,
  fileTargetsOf,
  handOutHtml,
  headingsOf,
  htmlTemplateOf,
  webTarget,
} from "#src/features/content/reads/html.ts";
import { pagesOf } from "#src/features/content/reads/pages.ts";
import { isPath, pageAt } from "#src/features/links/model/paths.ts";
import {
  addressesIn,
  addressesOf,
  type Relink,
  relinkDocument,
  relinkText,
} from "#src/features/published-sites/model/links.ts";
import { inRevision, type PublishedPage, type PublishedSpace } from "#src/features/published-sites/reads/pages.ts";

/** The address of a part of a site; null while the site has no address. */
export type AddressOf = (segments: readonly string[]) => string | null;

/**
 * The evaluated text of a page. Links to visible pages and spaces, by id or by path, become their
 * addresses on the site. Other pages, spaces, people and collections are not linked.
 */
export async function publishedTextOf(
  context: Context,
  page: PublishedPage,
  addressOf: AddressOf,
): Promise<string | null> {
  const text = await evaluatedTextOf(context, inRevision(page));
  return text && relinkText(text, await relinkFor(context, page, { addressOf, addresses: addressesIn(text) }));
}

export async function publishedDocumentOf(
  context: Context,
  page: PublishedPage,
  addressOf: AddressOf,
): Promise<RichDocument | null> {
  const document = await evaluatedDocumentOf(context, inRevision(page));
  if (!document) return null;
  return relinkDocument(document, await relinkFor(context, page, { addressOf, addresses: addressesOf(document) }));
}

/**
 * The evaluated text of a page as HTML. Links lead where those of {@link publishedTextOf} do; files have their download
 * URLs. A link to what is not on the site, or only within docgraph, stays as its text.
 */
export async function publishedHtmlOf(
  context: Context,
  page: PublishedPage,
  addressOf: AddressOf,
): Promise<string | null> {
  const text = await evaluatedTextOf(context, inRevision(page));
  if (text === null) return null;
  const template = await htmlTemplateOf(context, text);
  const addresses = addressesInHtml(template);
  const [relink, files] = await Promise.all([
    relinkFor(context, page, { addressOf, addresses }),
    fileTargetsOf(context, page.space.revision, addresses),
  ]);
  return handOutHtml(context, template, (address) => {
    const known = files.get(address) ?? relink(address);
    if (known === undefined) return webTarget(address);
    return typeof known === "string" ? { url: known } : known;
  });
}

export async function publishedOutlineOf(context: Context, page: PublishedPage) {
  const text = await evaluatedTextOf(context, inRevision(page));
  return text === null ? [] : headingsOf(context, text);
}

/** The replacements of these addresses on a page. Reads the targets in other spaces in one statement. */
async function relinkFor(
  context: Context,
  { space, page }: PublishedPage,
  { addressOf, addresses }: { addressOf: AddressOf; addresses: readonly string[] },
): Promise<Relink> {
  const shown = new Map([...space.of.shown.siteSpaces.toReversed(), space].map((one) => [one.spaceId, one]));
  const named = addresses.map(spaceIn).flatMap((id) => shown.get(id ?? "") ?? []);
  const places = [...new Set([space, ...named])];
  const trees = await Promise.all(places.map((place) => pagesOf(context, place.revision)));
  const treeOf = new Map(places.map((place, index) => [place, trees[index] ?? emptyTree]));
  const to = (place: PublishedSpace, path: string | null, anchor?: string | null) => {
    const address = addressOf([...place.segments, ...(path === null ? [] : [path])]);
    return address === null ? undefined : `${address}${anchor == null ? "" : `#${anchor}`}`;
  };
  return (address) => {
    const byPath = isPath(address) ? pageAt(treeOf.get(space) ?? emptyTree, address, page) : null;
    if (byPath) return to(space, byPath.page.path, byPath.anchor);
    const reference = referenceOfAddress(address);
    if (reference.kind === "user" || reference.kind === "collection") return null;
    const place = shown.get(spaceIn(address) ?? space.spaceId);
    if (reference.kind === "space") return place ? to(place, null) : null;
    if (!("page" in reference) || reference.page === undefined) return undefined;
    const found = place && treeOf.get(place)?.byId.get(reference.page);
    return found ? to(place, found.path, "anchor" in reference ? reference.anchor : null) : null;
  };
}

function spaceIn(address: string): string | null {
  const reference = referenceOfAddress(address);
  return "space" in reference ? (reference.space ?? null) : null;
}
