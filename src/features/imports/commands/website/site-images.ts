// Reads the images of a website, or of a page from an address, within limits of their number and size.
import { percentDecoded } from "#src/base/url-text.ts";
import { siteLimits } from "#src/features/imports/commands/website/crawl.ts";
import { importLimits } from "#src/features/imports/model/files.ts";
import type { ImportWarnings } from "#src/features/imports/model/warnings.ts";
import { safeName, takePath } from "#src/features/imports/model/website/scope.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";

export type ImageFile = { readonly path: string; readonly content: Buffer };

const endings: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/svg+xml": ".svg",
  "image/webp": ".webp",
  "image/avif": ".avif",
};

/** The images by URL, each with a path of its own. Omits unreadable ones with a warning. */
export async function readImages(
  addresses: Iterable<string>,
  { fetch, signal, warnings }: { fetch: SafeFetch; signal: AbortSignal; warnings: ImportWarnings },
): Promise<ReadonlyMap<string, ImageFile>> {
  const images = new Map<string, ImageFile>();
  const taken = new Set<string>();
  let size = 0;
  for (const url of new Set(addresses)) {
    if (isPauseDue()) await pause();
    signal.throwIfAborted();
    const leaveOut = (why: string) =>
      warnings.add(url.slice(0, 200), null, `${why} The imported pages still link to it.`);
    if (images.size >= siteLimits.images) leaveOut(`A site may have at most ${siteLimits.images} images.`);
    else {
      const maxBytes = Math.min(importLimits.fileSize, siteLimits.imagesSize - size);
      const image = await fetchImage(url, fetch, { signal, maxBytes });
      if (typeof image === "string") leaveOut(image);
      else {
        size += image.content.length;
        const ending = endings[image.type] ?? "";
        const isEnded = image.name.toLowerCase().endsWith(ending) || /\.jpe?g$/i.test(image.name);
        const name = (isEnded ? image.name : image.name + ending) || `image${ending}`;
        images.set(url, { path: takePath(`images/${name}`, taken), content: image.content });
      }
    }
  }
  return images;
}

type Image = { readonly name: string; readonly type: string; readonly content: Buffer };

/** The image, or the reason why it cannot be read. */
async function fetchImage(
  url: string,
  fetch: SafeFetch,
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number },
): Promise<Image | string> {
  try {
    const answer = url.startsWith("data:")
      ? dataOf(url, maxBytes)
      : await fetch(url, { headers: { accept: "image/*" }, maxBytes, timeoutMs: 20_000, signal });
    const type = (answer.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
    if (answer.status !== 200) return `The server returned ${answer.status}.`;
    if (!type.startsWith("image/")) return "The file is not an image.";
    const { pathname } = new URL(url);
    const name = url.startsWith("data:") ? "image" : safeName(pathname.slice(pathname.lastIndexOf("/") + 1));
    return { name, type, content: answer.body };
  } catch (error) {
    if (error instanceof FetchError) return `It could not be read: ${error.message}.`;
    throw error;
  }
}

/** The content of a `data:` URL in the form of a response. */
function dataOf(
  url: string,
  maxBytes: number,
): { status: number; headers: { get(name: string): string | null }; body: Buffer } {
  const [, type = "", base64, data = ""] = /^data:([^;,]*)(?:;(?!base64)[^;,]*)*(;base64)?,(.*)$/s.exec(url) ?? [];
  const text = percentDecoded(data.replaceAll(/%(?![\da-f]{2})/gi, "%25"));
  if (!base64 && text === null) throw new FetchError("address");
  const body = base64 ? Buffer.from(data, "base64") : Buffer.from(text ?? "");
  if (body.length > maxBytes) throw new FetchError("size");
  return { status: 200, headers: { get: () => type }, body };
}
