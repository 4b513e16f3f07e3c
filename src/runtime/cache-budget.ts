// Large caches: weighed in bytes, with one common budget; each has the share that it declares.
import { cacheMegabytes } from "#src/base/limits.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";

const megabyte = 1024 * 1024;

/** Keyed by name, as metrics show them: the last cache with a name. */
const caches = new Map<string, { megabytes: number; map: Pick<BoundedMap<never, never>, "weight" | "resize"> }>();
/** The budget as a multiple of the default. */
let scale = 1;

/** Makes a cache. `weigh` returns the bytes of an entry (approximate). */
export function cacheOf<Key, Value>(
  name: string,
  megabytes: number,
  weigh: (value: Value, key: Key) => number,
): BoundedMap<Key, Value> {
  const map = new BoundedMap<Key, Value>(megabytes * megabyte * scale, weigh);
  caches.set(name, { megabytes, map });
  return map;
}

/** Sets the maximum size of all caches together, in megabytes. */
export function limitCaches(most: number): void {
  scale = most / cacheMegabytes;
  for (const { megabytes, map } of caches.values()) map.resize(megabytes * megabyte * scale);
}

/** How many bytes the caches use, and may use. */
export function cacheLoads(): { readonly name: string; readonly bytes: number; readonly most: number }[] {
  const loadOf = (name: string, { megabytes, map }: { megabytes: number; map: { weight: number } }) => {
    return { name, bytes: map.weight, most: megabytes * megabyte * scale };
  };
  return Array.from(caches, ([name, cache]) => loadOf(name, cache));
}
