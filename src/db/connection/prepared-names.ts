// The names of prepared statements, of which only so many are kept.
import { createHash } from "node:crypto";
import { BoundedMap } from "#src/runtime/bounded-map.ts";

/** The most statements of reads, and characters of one: others run unprepared, so hostile documents fill nothing. */
export const preparedReads = { most: 1000, longest: Infinity };
/** Those of changes: a text for each number of rows would fill the limit of reads. */
export const preparedChanges: typeof preparedReads = { most: 500, longest: 10_000 };

/** The names of prepared statements by their texts; undefined beyond the limits. */
export function preparedNames({ most, longest } = preparedReads): (text: string) => string | undefined {
  const names = new BoundedMap<string, string>(most);
  return (text) => {
    if (text.length > longest) return undefined;
    const known = names.get(text);
    if (known || names.isFull) return known; // none is forgotten: connections keep what was prepared
    const name = createHash("sha1").update(text).digest("base64url");
    names.keep(text, name);
    return name;
  };
}
