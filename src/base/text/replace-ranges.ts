// Replaces ranges of a text, and nothing else.

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The text with replacements for ranges, which are in order. A range stays as it is if it overlaps a replaced one
 * before it, and if its replacement is null.
 */
export function replaceRanges<Of extends Range>(
  text: string,
  ranges: Iterable<Of>,
  replacementOf: (range: Of) => string | null,
): string {
  const parts: string[] = [];
  let done = 0;
  for (const range of ranges) {
    const replacement = range.start >= done ? replacementOf(range) : null;
    if (replacement === null) continue;
    parts.push(text.slice(done, range.start), replacement);
    done = range.end;
  }
  return done === 0 ? text : parts.join("") + text.slice(done);
}
