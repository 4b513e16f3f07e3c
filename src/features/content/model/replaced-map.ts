// Large maps that never change, each made of another one by replacing a few of its values: they share the rest.

/** How many times as many entries as are replaced there are at least: otherwise all are copied. */
const leastShared = 16;

class ReplacedMap<Key, Value> implements ReadonlyMap<Key, Value> {
  readonly base: ReadonlyMap<Key, Value>;
  readonly replaced: ReadonlyMap<Key, Value>;

  constructor(base: ReadonlyMap<Key, Value>, replaced: ReadonlyMap<Key, Value>) {
    this.base = base;
    this.replaced = replaced;
  }

  get size(): number {
    return this.base.size;
  }

  has(key: Key): boolean {
    return this.base.has(key);
  }

  get(key: Key): Value | undefined {
    return this.replaced.has(key) ? this.replaced.get(key) : this.base.get(key);
  }

  keys(): MapIterator<Key> {
    return this.base.keys();
  }

  *entries(): Generator<[Key, Value], undefined> {
    const { replaced } = this;
    for (const [key, value] of this.base) yield [key, replaced.has(key) ? (replaced.get(key) as Value) : value];
    return undefined;
  }

  *values(): Generator<Value, undefined> {
    for (const [, value] of this.entries()) yield value;
    return undefined;
  }

  [Symbol.iterator](): Generator<[Key, Value], undefined> {
    return this.entries();
  }

  forEach(deed: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this.entries()) deed(value, key, this);
  }
}

/** A map with the values of some of its keys replaced, in the same order. The map itself stays as it is. */
export function withReplaced<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  by: ReadonlyMap<Key, Value>,
): ReadonlyMap<Key, Value> {
  const [base, replaced] = map instanceof ReplacedMap ? [map.base, new Map([...map.replaced, ...by])] : [map, by];
  return replaced.size * leastShared > base.size ? new Map([...map, ...by]) : new ReplacedMap(base, replaced);
}
