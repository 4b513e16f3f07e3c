// The names of prepared statements, whose number is limited.
import { createHash } from "node:crypto";
import { BoundedMap } from "#src/runtime/bounded-map.ts";

/** The most statements of reads, and characters of one: others run unprepared, so hostile documents exhaust nothing. */
export const preparedReads = { most: 1000, longest: Infinity };
/** The same for changes, counted separately: a text for each number of rows would use up the limit of reads. */
export const preparedChanges: typeof preparedReads = { most: 500, longest: 10_000 };

/** The names of prepared statements by their texts; undefined beyond the limits. */
export function preparedNames({ most, longest } = preparedReads): (text: string) => string | undefined {
  const names = new BoundedMap<string, string>(most);
  return (text) => {
    if (text.length > longest) return undefined;
    const known = names.get(text);
    if (known || names.isFull) return known; // names are never dropped: connections keep their statements
    const name = createHash("sha1").update(text).digest("base64url");
    names.keep(text, name);
    return name;
  };
}
