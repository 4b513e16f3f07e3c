// Large caches: weighed in bytes, with one budget; each has the share that it declares.
import { cacheMegabytes } from "#src/base/limits.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";

const megabyte = 1024 * 1024;

/** By their names, as metrics show them: of a name that comes again, the last one. */
const caches = new Map<string, { megabytes: number; map: Pick<BoundedMap<never, never>, "weight" | "resize"> }>();
/** The budget as a multiple of the default. */
let scale = 1;

/** Makes a cache. `weigh` gives the bytes of an entry, more or less. */
export function cacheOf<Key, Value>(
  name: string,
  megabytes: number,
  weigh: (value: Value, key: Key) => number,
): BoundedMap<Key, Value> {
  const map = new BoundedMap<Key, Value>(megabytes * megabyte * scale, weigh);
  caches.set(name, { megabytes, map });
  return map;
}

/** Has all caches together hold at most so many megabytes. */
export function limitCaches(most: number): void {
  scale = most / cacheMegabytes;
  for (const { megabytes, map } of caches.values()) map.resize(megabytes * megabyte * scale);
}

/** How many bytes the caches hold, and may hold. */
export function cacheLoads(): { readonly name: string; readonly bytes: number; readonly most: number }[] {
  const loadOf = (name: string, { megabytes, map }: { megabytes: number; map: { weight: number } }) => {
    return { name, bytes: map.weight, most: megabytes * megabyte * scale };
  };
  return Array.from(caches, ([name, cache]) => loadOf(name, cache));
}
