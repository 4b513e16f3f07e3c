// The HTML of a page in a revision, of its sections and of its changes. Links lead to pages in the application, or to
// those below an address of the caller.
import { invalidInput } from "#src/base/errors.ts";
import { type Reference, referenceOfAddress } from "#src/documents/references.ts";
import { fragmentOf } from "#src/documents/sections/anchors.ts";
import type { Target } from "#src/documents/html/template.ts";
import type { Context } from "#src/domain/context.ts";
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
import { evaluatedTextOf, evaluateUnsaved } from "#src/features/content/reads/page-texts.ts";
import type { PlaceOfText } from "#src/features/content/reads/changes.ts";
import { type PageInRevision, pagesOf } from "#src/features/content/reads/pages.ts";
import type { PageRow, PageTree } from "#src/features/content/model/page.ts";
import { checkMarkdown } from "#src/features/content/model/checks.ts";
import { isPath, pageAt } from "#src/features/links/model/paths.ts";

/** The address below which links lead to the paths of pages. INVALID_INPUT for other addresses. */
function checkedBase(base: string): string {
  const isGood = base.length <= 2_000 && /^(?:https?:\/\/[^/]|\/(?!\/))[^\s?#\\]*$/.test(base);
  if (!isGood) throw invalidInput("linkBase", "must be a path, or an http(s) address without a query.");
  return base.replace(/\/+$/, "");
}

interface HtmlOptions {
  readonly linkBase: string | null;
  /** In place of the text of the page. */
  readonly markdown: string | null;
}

/** The evaluated text of a page as HTML; null for types without a text. Throws as the document of a page does. */
export async function htmlOfPage(
  context: Context,
  page: PageInRevision,
  { linkBase, markdown }: HtmlOptions,
): Promise<string | null> {
  const targets = targetsFor(context, page, linkBase);
  const text = await (markdown === null
    ? evaluatedTextOf(context, page)
    : evaluateUnsaved(context, page, checkMarkdown("markdown", markdown)));
  return text === null ? null : resolvedHtml(context, await htmlTemplateOf(context, text), targets);
}

/** The part of {@link htmlOfPage} under the heading with this name; null if the text does not have it. */
export async function sectionOfPage(
  context: Context,
  page: PageInRevision,
  { name, linkBase }: { readonly name: string; readonly linkBase: string | null },
): Promise<TextSection | null> {
  const targets = targetsFor(context, page, linkBase);
  const text = await evaluatedTextOf(context, page);
  return text === null ? null : sectionNamed(context, text, { name, targets });
}

/** Lines of a text as HTML, read as a text of their own; null without lines. */
export async function htmlOfLines(context: Context, place: PlaceOfText, lines: string): Promise<string | null> {
  if (lines === "") return null;
  return resolvedHtml(context, await htmlTemplateOf(context, lines), targetsFor(context, place, null));
}

/** Where links on a page lead. INVALID_INPUT for an invalid base. */
function targetsFor(context: Context, from: PlaceOfText, linkBase: string | null): TargetsFor {
  const base = linkBase === null ? null : checkedBase(linkBase);
  return async (addresses) => {
    const files = await fileTargetsOf(context, from.revision, addresses);
    const tree = await pagesOf(context, from.revision);
    const resolve = resolver(context, from, { tree, base });
    return (address) => files.get(address) ?? resolve(address);
  };
}

/** The headings of the evaluated text of a page. */
export async function outlineOfPage(context: Context, page: PageInRevision) {
  const text = await evaluatedTextOf(context, page);
  return text === null ? [] : headingsOf(context, text);
}

function resolver({ links }: Context, from: PlaceOfText, of: { tree: PageTree; base: string | null }) {
  const { tree, base } = of;
  const { spaceId, changeRequestId } = from.revision;
  const content = changeRequestId === null ? spaceId : `${spaceId}/change-requests/${changeRequestId}`;
  const toPage = ({ pageId, path }: PageRow): string =>
    base === null
      ? links.app(`spaces/${content}/pages/${pageId}`, pageId)
      : `${base}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const at = (page: PageRow | undefined, anchor: string | null): Target =>
    page ? { url: `${toPage(page)}${anchor === null ? "" : `#${fragmentOf(anchor)}`}`, title: page.title } : null;
  const elsewhere = (reference: Reference): Target => {
    if (base !== null) return null;
    if (reference.kind === "space") return { url: links.app(`spaces/${reference.space}`, reference.space) };
    if (!("page" in reference) || reference.page === undefined) return null;
    return { url: links.app(`spaces/${reference.space}/pages/${reference.page}`, reference.page) };
  };
  return (address: string): Target => {
    if (isPath(address)) {
      const found = pageAt(tree, address, from);
      return at(found?.page, found?.anchor ?? null);
    }
    const reference = referenceOfAddress(address);
    if (reference.kind === "url") return webTarget(address);
    const isHere = "page" in reference && (reference.space === undefined || reference.space === spaceId);
    if (!isHere || reference.page === undefined) return elsewhere(reference);
    return at(tree.byId.get(reference.page), "anchor" in reference ? reference.anchor : null);
  };
}
