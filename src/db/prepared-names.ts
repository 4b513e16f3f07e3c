// The names of prepared statements, of which only so many are kept.
import { createHash } from "node:crypto";
import { BoundedMap } from "#src/base/bounded-map.ts";

/** The most statements kept prepared on a connection: later ones run unprepared, so hostile documents fill nothing. */
const preparedLimit = 1000;

/** The names of prepared statements by their texts; undefined beyond the limit. */
export function preparedNames(): (text: string) => string | undefined {
  const names = new BoundedMap<string, string>(preparedLimit);
  return (text) => {
    const known = names.get(text);
    if (known || names.isFull) return known; // none is forgotten: connections keep what was prepared
    const name = createHash("sha1").update(text).digest("base64url");
    names.keep(text, name);
    return name;
  };
}
