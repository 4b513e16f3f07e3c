// Opens a website as an import: its pages become Markdown files with links between them, and its images become files.
import { type Entry, group, pageEntry } from "#src/features/imports/model/contents.ts";
import { type ImageFile, readImages } from "#src/features/imports/commands/website/site-images.ts";
import { folderOf, ImportFiles } from "#src/features/imports/model/files.ts";
import { ImportWarnings } from "#src/features/imports/model/warnings.ts";
import type { NavigationItem } from "#src/features/imports/model/website/navigation.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { siteLimits, type ReadPage, type ReadSite, readSite } from "#src/features/imports/commands/website/crawl.ts";
import { takePath, addressOf, safeAddress } from "#src/features/imports/model/website/scope.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { invalidInput } from "#src/base/errors.ts";
import { inMemory, type OpenImport, type Report } from "#src/features/imports/model/open-import.ts";

type PageFile = { readonly path: string; readonly title: string };

/** The start page comes first. Pages outside the navigation are under the page of their folder, or last. */
function contentsOfSite(
  files: ImportFiles,
  pages: readonly PageFile[],
  { navigation, find }: { navigation: readonly NavigationItem[]; find: (url: string) => PageFile | undefined },
): Entry[] {
  const placed = new Map<string, Entry>();
  const place = ({ path, title }: PageFile, fallback: string): Entry => {
    const entry = pageEntry(files, path, title || fallback || null);
    placed.set(path, entry);
    return entry;
  };
  const entriesOf = ({ title, url, items }: NavigationItem): Entry[] => {
    const page = url === null ? undefined : find(url);
    const own = page && !placed.has(page.path) ? place(page, title) : null;
    const below = items.flatMap(entriesOf);
    if (own) {
      own.entries.push(...below);
      return [own];
    }
    return below.length > 1 && title !== "" ? [{ ...group(title), entries: below }] : below;
  };
  const top = navigation.flatMap(entriesOf);
  const [first] = pages;
  if (first && !placed.has(first.path)) top.unshift(place(first, ""));
  const rest = pages.filter(({ path }) => !placed.has(path));
  for (const page of rest.toSorted((one, other) => depthOf(one.path) - depthOf(other.path))) {
    const around = entryAround(page.path, placed);
    (around?.entries ?? top).push(place(page, ""));
  }
  return top;
}

const depthOf = (path: string): number => path.split("/").length - (path.endsWith("/index.md") ? 1 : 0);

/** The entry of the innermost folder around a page that has one. */
function entryAround(path: string, placed: ReadonlyMap<string, Entry>): Entry | undefined {
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) {
    const entry = placed.get(`${folder}/index.md`) ?? placed.get(`${folder}.md`);
    if (entry && entry.path !== path) return entry;
  }
  return undefined;
}

/** Within {@link siteLimits}. INVALID_INPUT for an unreadable site and for one that takes too long; `FetchError`. */
export async function openSite(
  url: URL,
  of: { fetch: SafeFetch; signal: AbortSignal; report: Report; pageLimit?: number; timeLimit?: number },
): Promise<OpenImport> {
  const { fetch, report, pageLimit = siteLimits.pages, timeLimit = siteLimits.time } = of;
  const late = AbortSignal.timeout(timeLimit);
  const signal = AbortSignal.any([of.signal, late]);
  const warnings = new ImportWarnings();
  try {
    const site = await readSite(url, { fetch, signal, report, warnings, pageLimit });
    const shown = site.pages.flatMap(({ addresses }) =>
      addresses.filter(({ isImage }) => isImage).map((one) => one.url),
    );
    const images = await readImages(shown, { fetch, signal, warnings });
    return await filesOfSite(site, images, { signal, warnings, missingImages: new Set(shown).size - images.size });
  } catch (error) {
    if (late.aborted && !of.signal.aborted)
      throw invalidInput("url", "takes too long to be read. Import a smaller part of the site.");
    throw error;
  }
}

async function filesOfSite(
  site: ReadSite,
  images: ReadonlyMap<string, ImageFile>,
  { signal, warnings, missingImages }: { signal: AbortSignal; warnings: ImportWarnings; missingImages: number },
): Promise<OpenImport> {
  const files = new ImportFiles(warnings);
  const taken = new Set<string>();
  const pageFiles = new Map<ReadPage, PageFile>();
  for (const page of site.pages)
    pageFiles.set(page, { path: takePath(site.scope.pathOf(page.url), taken), title: page.title });
  const find = (url: string): PageFile | undefined => {
    const page = site.find(url);
    return page && pageFiles.get(page);
  };
  for (const [page, { path }] of pageFiles) {
    const text = await textOf(page, signal, (address) => {
      const image = address.isImage ? images.get(address.url) : undefined;
      if (image) return addressOf(image.path);
      const target = address.isImage ? undefined : site.find(address.url);
      const targetFile = target && pageFiles.get(target);
      if (!targetFile) return written(address);
      const hash = hashOf(address.url, target);
      return (targetFile.path === path && hash !== "" ? "" : addressOf(targetFile.path)) + safeAddress(hash);
    });
    files.addContent(path, Buffer.from(text));
  }
  for (const { path, content } of images.values()) files.addContent(path, content);
  const navigation = site.pages.find((page) => page.navigation.length > 0)?.navigation ?? [];
  const contents = contentsOfSite(files, [...pageFiles.values()], { navigation, find });
  return inMemory(files, { contents, leftOut: site.leftOut + missingImages });
}

type PageAddress = ReadPage["addresses"][number];

/** The URL of something outside of the import, in Markdown or in an attribute of HTML. */
const written = ({ url, isHtml }: PageAddress): string =>
  isHtml ? safeAddress(url).replaceAll("&", "&amp;").replaceAll('"', "%22") : safeAddress(url);

/** The anchor of a link to a page. The heading that became the title of the page does not have one. */
function hashOf(url: string, { titleNames }: ReadPage): string {
  const hash = /#.+/s.exec(url)?.[0] ?? "";
  return titleNames.includes(percentDecoded(hash.slice(1)) ?? hash.slice(1)) ? "" : hash;
}

/** Yields between the links of a page, whose number is unlimited. Throws the reason of the signal. */
async function textOf(
  { pieces, addresses }: ReadPage,
  signal: AbortSignal,
  addressOfLink: (address: PageAddress) => string,
): Promise<string> {
  const parts: string[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (isPauseDue()) await pause();
    signal.throwIfAborted();
    parts.push(piece, addresses[index] ? addressOfLink(addresses[index]) : "");
  }
  return parts.join("");
}
