// Opens a Markdown file from an address as an import: its pictures are fetched from beside it, and its other relative
// links become absolute, because what they lead to is not imported.
import { isUtf8 } from "node:buffer";
import { replaceRanges } from "#src/base/text/forms.ts";
import { readImages } from "#src/features/imports/commands/website/site-images.ts";
import { pageEntry } from "#src/features/imports/model/contents.ts";
import { cleanPath, ImportFiles, isMarkdown, stemOf } from "#src/features/imports/model/files.ts";
import type { TextLink } from "#src/features/imports/model/markdown.ts";
import { markdownReader } from "#src/features/imports/model/markdown-reader.ts";
import { inMemory, type OpenImport } from "#src/features/imports/model/open-import.ts";
import { safeAddress, safeName } from "#src/features/imports/model/website/scope.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

type Source = { readonly url: URL; readonly body: Buffer };

/** The page of a Markdown file, with the pictures that it shows. */
export async function openMarkdown(
  { url, body }: Source,
  { fetch, signal }: { fetch: SafeFetch; signal: AbortSignal },
): Promise<OpenImport> {
  const own = pathOf(url) || "page";
  const path = isMarkdown(own) ? own : `${own}.md`;
  const files = new ImportFiles();
  const page = (text: Buffer): OpenImport => {
    files.addContent(path, text);
    return inMemory(files, { contents: [{ ...pageEntry(files, path), name: stemOf(path) }], isWritten: true });
  };
  if (!isUtf8(body)) return page(body);
  const text = new TextDecoder().decode(body); // without a byte order mark
  const { links, start, cover } = await markdownReader.read("page", path, text);
  const relative = links.map((link) => inFile(link, start)).filter((link) => isRelative(link.url));
  const shown = [...relative.filter(isPicture), ...(cover ? [cover] : [])].map((link) => targetOf(link.url, url));
  const images = await readImages(
    shown.filter((target) => target !== null),
    { fetch, signal, warnings: files.warnings },
  );
  const kept = new Set<string>();
  for (const [target, { content }] of images) if (addFile(files, pathOf(new URL(target)), content)) kept.add(target);
  const written = replaceRanges(
    text,
    relative.toSorted((one, other) => one.start - other.start),
    (link) => {
      const target = targetOf(link.url, url);
      return target === null || kept.has(target) ? null : absolute(target, url);
    },
  );
  return page(Buffer.from(written));
}

/** The path of a URL as one of a file. */
const pathOf = ({ pathname }: URL): string => pathname.split("/").map(safeName).filter(Boolean).join("/");

/** Adds a picture unless its path is not valid beside the others. */
function addFile(files: ImportFiles, path: string, content: Buffer): boolean {
  const clean = cleanPath(path);
  if (typeof clean !== "string" || files.has(clean)) return false;
  files.addContent(clean, content);
  return files.has(clean);
}

const inFile = (link: TextLink, start: number): TextLink => ({
  ...link,
  start: link.start + start,
  end: link.end + start,
});

const isRelative = (url: string): boolean => url !== "" && !/^(?:#|\/\/|[a-z][a-z0-9+.-]*:)/i.test(url);

const isPicture = ({ url, isShown }: TextLink): boolean =>
  isShown === true || /\.(?:png|jpe?g|gif|svg|webp|avif)(?:[?#]|$)/i.test(url);

const targetOf = (address: string, base: URL): string | null => URL.parse(address, base)?.href ?? null;

/** An absolute address; that of the page itself is only its anchor. */
function absolute(target: string, { href }: URL): string {
  const [page, hash] = target.split("#", 2);
  return hash !== undefined && hash !== "" && page === href.replace(/#.*/s, "")
    ? safeAddress(`#${hash}`)
    : safeAddress(target);
}
