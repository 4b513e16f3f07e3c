// Reads the addresses of a `srcset`, which may contain commas.

interface Candidate {
  readonly url: string;
  /** The position of the address. */
  readonly index: number;
  /** The width or the density that its descriptor states. */
  readonly size: number;
}

const candidate = /[\s,]*(\S*[^\s,])(?:\s+([\d.]+)[wxh])?\s*(?:,|$|(?=\s))/dg;

/** The candidates of a set, in order. */
export function candidatesOf(set: string): Candidate[] {
  return Array.from(set.slice(0, 20_000).matchAll(candidate), ({ 1: url = "", 2: size, indices }) => ({
    url,
    index: indices?.[1]?.[0] ?? 0,
    size: Number(size ?? 1),
  }));
}
