// Cutting a text to one line of a certain length: subjects, titles, previews.

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

function countCodePoints(text: string): number {
  return Array.from(text).length;
}

/** A text on one line of at most so many characters (code points), cut between whole characters, with `…`. */
export function cutLine(text: string, limit: number): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  if (countCodePoints(line) <= limit) return line;
  let cut = "";
  let length = 0;
  for (const { segment } of characters.segment(line)) {
    length += countCodePoints(segment);
    if (length >= limit) break; // one is kept for the ellipsis
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}
