// Ranges and conditions of a download (RFC 9110, sections 13 and 14): which bytes are asked for, and whether the client
// has this version already.
import type { IncomingHttpHeaders } from "node:http";
import type { ByteRange } from "#src/files/file-store.ts";

/**
 * The part that is asked for: null for the whole file, also where the header is ignored (several ranges, other units,
 * another version); `unsatisfiable` when the file has none of these bytes.
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
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null; // not well-formed, so it is ignored
  return start > end ? "unsatisfiable" : { start, end };
}

/** Whether the client has this version: `If-None-Match` names it, or any. */
export function hasVersion({ "if-none-match": known }: IncomingHttpHeaders, etag: string): boolean {
  return (known ?? "").split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}
