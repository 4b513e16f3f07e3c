// The texts of published pages for visitors, with links to addresses on the site.
import { lookup } from "#src/base/lookup.ts";
import { fragmentOf } from "#src/documents/sections/anchors.ts";
import type { RichDocument } from "#src/documents/document.ts";
import { referenceOfAddress } from "#src/documents/references.ts";
import type { Context } from "#src/domain/context.ts";
import type { Target } from "#src/documents/html/template.ts";
import { emptyTree, type PageRow } from "#src/features/content/model/page.ts";
import { evaluatedDocumentOf } from "#src/features/content/reads/documents.ts";
import { evaluatedTextOf } from "#src/features/content/reads/page-texts.ts";
import {
  fileTargetsOf,
  headingsOf,
  htmlTemplateOf,
  resolvedHtml,
  sectionNamed,
  type TargetsFor,
  type TextSection,
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

/** The address that a link page leads to; null for other pages, and for targets that are not on the site. */
export async function publishedTargetOf(
  context: Context,
  page: PublishedPage,
  addressOf: AddressOf,
): Promise<string | null> {
  const { target } = page.page.fields;
  if (page.page.type !== "link" || target === undefined) return null;
  const relink = await relinkFor(context, page, { addressOf, addresses: [target] });
  const to = relink(target);
  return to === undefined ? (/^(https?|mailto):/i.test(target) && URL.canParse(target) ? target : null) : to;
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
  return resolvedHtml(context, await htmlTemplateOf(context, text), htmlTargets(context, page, addressOf));
}

const htmlTargets =
  (context: Context, page: PublishedPage, addressOf: AddressOf): TargetsFor =>
  async (addresses) => {
    const [targetOf, files] = await Promise.all([
      targetsFor(context, page, { addressOf, addresses }),
      fileTargetsOf(context, page.space.revision, addresses),
    ]);
    return (address) => {
      const known = files.get(address) ?? targetOf(address);
      return known === undefined ? webTarget(address) : known;
    };
  };

/** The part of {@link publishedHtmlOf} under a heading; null if the text does not have it. */
export async function publishedSectionOf(
  context: Context,
  page: PublishedPage,
  { name, addressOf }: { readonly name: string; readonly addressOf: AddressOf },
): Promise<TextSection | null> {
  const text = await evaluatedTextOf(context, inRevision(page));
  return text === null ? null : sectionNamed(context, text, { name, targets: htmlTargets(context, page, addressOf) });
}

export async function publishedOutlineOf(context: Context, page: PublishedPage) {
  const text = await evaluatedTextOf(context, inRevision(page));
  return text === null ? [] : headingsOf(context, text);
}

interface Linking {
  readonly addressOf: AddressOf;
  readonly addresses: readonly string[];
}

/** The replacements of these addresses on a page. */
async function relinkFor(context: Context, page: PublishedPage, linking: Linking): Promise<Relink> {
  const targetOf = await targetsFor(context, page, linking);
  return (address) => {
    const target = targetOf(address);
    return target ? target.url : target;
  };
}

/**
 * Where these addresses on a page lead on its site: undefined for others, null for what the visitor does not see.
 * Reads the targets in other spaces in one statement.
 */
async function targetsFor(
  context: Context,
  { space, page }: PublishedPage,
  { addressOf, addresses }: Linking,
): Promise<(address: string) => Target | undefined> {
  const shown = new Map([...space.of.shown.siteSpaces.toReversed(), space].map((one) => [one.spaceId, one]));
  const named = addresses.map(spaceIn).flatMap((id) => lookup(shown, id) ?? []);
  const places = [...new Set([space, ...named])];
  const trees = await Promise.all(places.map((place) => pagesOf(context, place.revision)));
  const treeOf = new Map(places.map((place, index) => [place, trees[index] ?? emptyTree]));
  const to = (place: PublishedSpace, target: PageRow | null, anchor?: string | null) => {
    const address = addressOf([...place.segments, ...(target ? [target.path] : [])]);
    const title = target?.title ?? place.title;
    return address === null ? undefined : { url: `${address}${anchor == null ? "" : `#${fragmentOf(anchor)}`}`, title };
  };
  return (address) => {
    const byPath = isPath(address) ? pageAt(treeOf.get(space) ?? emptyTree, address, page) : null;
    if (byPath) return to(space, byPath.page, byPath.anchor);
    const reference = referenceOfAddress(address);
    if (reference.kind === "user" || reference.kind === "collection") return null;
    const place = shown.get(spaceIn(address) ?? space.spaceId);
    if (reference.kind === "space") return place ? to(place, null) : null;
    if (!("page" in reference) || reference.page === undefined) return undefined;
    const found = place && treeOf.get(place)?.byId.get(reference.page);
    return found ? to(place, found, "anchor" in reference ? reference.anchor : null) : null;
  };
}

function spaceIn(address: string): string | null {
  const reference = referenceOfAddress(address);
  return "space" in reference ? (reference.space ?? null) : null;
}
