// Lookups by a key that may be missing: a text such as "" in its place could be the key of something.

/** The value of a key; undefined without a key, and for an unknown one. */
export const lookup = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key | null | undefined): Value | undefined =>
  key === null || key === undefined ? undefined : map.get(key);

/** Whether a set contains a key; false without a key. */
export const holds = <Key>(set: ReadonlySet<Key>, key: Key | null | undefined): boolean =>
  key !== null && key !== undefined && set.has(key);
