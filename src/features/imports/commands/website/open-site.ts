// Opens a website: its pages become Markdown files with links between them, and its images files.
import { invalidInput } from "#src/base/errors.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { type ReadPage, type ReadSite, readSite, siteLimits } from "#src/features/imports/commands/website/crawl.ts";
import { type ImageFile, readImages } from "#src/features/imports/commands/website/images.ts";
import { ImportFiles, ImportWarnings } from "#src/features/imports/model/files.ts";
import { inMemory, type OpenImport, type Report } from "#src/features/imports/model/open-import.ts";
import { addressOf, safeAddress, takePath } from "#src/features/imports/model/website/scope.ts";
import { contentsOfSite, type PageFile } from "#src/features/imports/model/website/site-contents.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

/**
 * Reads a site within {@link siteLimits}. INVALID_INPUT for an address that is not a readable site, and for one that
 * takes too long; a `FetchError` if it cannot be reached.
 */
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
      throw invalidInput("url", "the site takes too long to be read: begin further down in it.");
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
      const hash = /#.*/s.exec(address.url)?.[0] ?? "";
      const target = find(address.url);
      if (!target) return safeAddress(address.url);
      return (target.path === path && hash !== "" ? "" : addressOf(target.path)) + safeAddress(hash);
    });
    files.addContent(path, Buffer.from(text));
  }
  for (const { path, content } of images.values()) files.addContent(path, content);
  const navigation = site.pages.find((page) => page.navigation.length > 0)?.navigation ?? [];
  const contents = contentsOfSite(files, [...pageFiles.values()], { navigation, find });
  return inMemory(files, { contents, leftOut: site.leftOut + missingImages });
}

/** Pauses between the addresses of a page, whose number is unlimited. Throws the reason of the signal. */
async function textOf(
  { pieces, addresses }: ReadPage,
  signal: AbortSignal,
  addressOfLink: (address: ReadPage["addresses"][number]) => string,
): Promise<string> {
  const parts: string[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (isPauseDue()) await pause();
    signal.throwIfAborted();
    parts.push(piece, addresses[index] ? addressOfLink(addresses[index]) : "");
  }
  return parts.join("");
}
