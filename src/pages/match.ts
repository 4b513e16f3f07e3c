// Matches the path of a request with the paths of page rows.
import { idPrefixes, type IdKind, isIdOf } from "#src/base/ids.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import type { Asked } from "#src/pages/page.ts";

/** The parts of a request that its path determines; null if it does not match. */
export type MatchPath = (path: string) => Pick<Asked, "named" | "root" | "path"> | null;

interface Name {
  readonly name: string;
  /** The kind of its id; null for a name that is not an id. */
  readonly kind: IdKind | null;
}

/** Prepares the path of a row, such as `/published/:siteId/*`. Segments that are not valid UTF-8 do not match. */
export function matcherOf(pattern: string): MatchPath {
  const parts = pattern.split("/").slice(1);
  const hasRest = parts.at(-1) === "*";
  const segments = (hasRest ? parts.slice(0, -1) : parts).map((part) => (part.startsWith(":") ? nameOf(part) : part));
  return (path) => {
    const raw = path.split("/").slice(1);
    if (hasRest ? raw.length < segments.length : raw.length !== segments.length) return null;
    const given = raw.map(percentDecoded);
    const named: Record<string, string> = {};
    for (const [index, segment] of segments.entries()) {
      const value = given[index];
      if (value == null || !fits(segment, value)) return null;
      if (typeof segment !== "string") named[segment.name] = value;
    }
    const rest = given.slice(segments.length);
    if (rest.includes(null)) return null;
    return { named, root: ["", ...raw.slice(0, segments.length)].join("/"), path: rest.join("/") };
  };
}

function nameOf(part: string): Name {
  const name = part.slice(1);
  const kind = `${name.charAt(0).toUpperCase()}${name.slice(1, -2)}`;
  return { name, kind: name.endsWith("Id") && Object.hasOwn(idPrefixes, kind) ? (kind as IdKind) : null };
}

function fits(segment: string | Name, value: string): boolean {
  if (typeof segment === "string") return segment === value;
  return segment.kind === null ? value !== "" : isIdOf(segment.kind, value);
}
