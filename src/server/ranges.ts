// Ranges and conditions of a download (RFC 9110, sections 13 and 14): what part of so many bytes is asked for, and whether the caller has it already.
import type { IncomingHttpHeaders } from "node:http";
import type { ByteRange } from "#src/files/file-store.ts";

/**
 * The part that is asked for: null for the whole, also where the header is none of ours to read (several ranges, other units) or stands on another
 * version; `unsatisfiable` when it has no byte of it.
 */
export function rangeIn(
  { range, "if-range": condition }: IncomingHttpHeaders,
  { size, etag }: { size: number; etag: string },
): ByteRange | null | "unsatisfiable" {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if (from === undefined || to === undefined || from + to === "") return null;
  if (condition !== undefined && condition !== etag) return null;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null; // not well-formed, and so not there
  return start > end ? "unsatisfiable" : { start, end };
}

/** Whether the caller has this version: `If-None-Match` names it, or any. */
export function hasVersion({ "if-none-match": known }: IncomingHttpHeaders, etag: string): boolean {
  return (known ?? "").split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}
