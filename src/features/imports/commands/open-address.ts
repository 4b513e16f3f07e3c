// Opens an import from a URL.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { openSite } from "#src/features/imports/commands/website/open-site.ts";
import { archiveLimit, openZip } from "#src/features/imports/commands/zip.ts";
import { openMarkdown } from "#src/features/imports/commands/open-markdown.ts";
import { toUtf8 } from "#src/features/imports/model/encoding.ts";
import type { OpenImport, Report } from "#src/features/imports/model/open-import.ts";
import type { ImportSource } from "#src/generated/prisma/enums.ts";
import { FetchError } from "#src/net/fetch-error.ts";

/** Timeout of the download of a file, in milliseconds. */
const timeoutMs = 300_000;

export interface Opening {
  readonly context: Context;
  readonly organizationId: string;
  readonly signal: AbortSignal;
  readonly report: Report;
}

type Opener = (url: string, opening: Opening) => Promise<OpenImport>;

const openers = new Map<ImportSource, Opener>();

/** Registers a source, also of other features. */
export function defineImportSource(source: ImportSource, open: Opener): void {
  openers.set(source, open);
}

defineImportSource("website", (url, { context: { fetch }, ...opening }) =>
  openSite(new URL(url), { fetch, ...opening }),
);
defineImportSource("markdown", openFile);

/** Opens a URL. INVALID_INPUT if it cannot or may not be read, does not match `source`, or is too large. */
export async function openAddress(
  { url, source }: { url: string; source: ImportSource },
  opening: Opening,
): Promise<OpenImport> {
  try {
    const open = openers.get(source);
    if (!open) throw invalidInput("source", "is not a supported source.");
    return await open(url, opening);
  } catch (error) {
    if (error instanceof FetchError) throw invalidInput("url", `${error.message}.`);
    throw error instanceof DomainError && error.code === "TOO_LARGE" ? invalidInput("url", error.message) : error;
  }
}

/** A Markdown file, or an archive of them. */
async function openFile(url: string, { context: { fetch }, signal }: Opening): Promise<OpenImport> {
  const { status, headers, body, url: last } = await fetch(url, { maxBytes: archiveLimit, timeoutMs, signal });
  if (status !== 200) throw invalidInput("url", `is not available: the server returned ${status}.`);
  if (body.subarray(0, 4).toString("latin1") === "PK\u0003\u0004") return openZip(body);
  if (/^\s*text\/html/i.test(headers.get("content-type") ?? ""))
    throw invalidInput("url", "is a web page, not Markdown or a ZIP archive. Import it with the source WEBSITE.");
  const utf8 = toUtf8(body, headers.get("content-type"));
  return openMarkdown({ url: new URL(last), body: utf8 }, { fetch, signal });
}
