// Masks expressions and the tags of hints and tabs, which Markdown does not know and translations must keep: before
// parsing, each is replaced by reserved characters of the same length that encode its number, so positions stay.

/** The range of an expression or tag in the original text. */
export interface MaskedRange {
  readonly start: number;
  readonly end: number;
  /** Whether it blocks moves across it. */
  readonly isTag: boolean;
}

/** Noncharacters of Unicode: the first one starts a mask, the others are digits. */
const reserved = /[\uFDD0-\uFDEF]/;
const [opening, zero, base] = ["\uFDD0", 0xfdd1, 31];

/** `{{name}}`, `{{reusable:id}}`; `{% hint %}`; `[!NOTE]` on a line of its own at the start of a quote. */
const forms =
  /(?<!\\)(?:\{\{[ \t]{0,20}(?:reusable:\w{1,100}|[\p{L}_][\p{L}\p{N}_-]{0,99})[ \t]{0,20}\}\}|\{%[^\n]{0,500}?%\})|\[!\w{1,20}\](?<=(?:^|\n)[ \t>]{0,200}>[ \t]?\[!\w{1,20}\])(?=[ \t]{0,20}(?:\r?\n|$))/gu;

export type Masked = { readonly text: string; readonly ranges: readonly MaskedRange[] };

/** The masked text; null if the text contains reserved characters. */
export function mask(text: string): Masked | null {
  if (reserved.test(text)) return null;
  const ranges: MaskedRange[] = [];
  const masked = text.replaceAll(forms, (found, start: number) => {
    const digits = ranges.length.toString(base).padStart(found.length - 1, "0");
    if (digits.length >= found.length) return found;
    ranges.push({ start, end: start + found.length, isTag: !found.startsWith("{{") });
    return opening + Array.from(digits, (digit) => String.fromCharCode(zero + Number.parseInt(digit, base))).join("");
  });
  return { text: masked, ranges };
}

const oneMask = /\uFDD0[\uFDD1-\uFDEF]+/g;

/** A piece of the masked text, split at masks. */
export function unmask(text: string, { ranges }: Masked): (string | MaskedRange)[] {
  const cut: (string | MaskedRange)[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(oneMask)) {
    const digits = Array.from(found.slice(1), (digit) => (digit.charCodeAt(0) - zero).toString(base)).join("");
    const held = ranges[Number.parseInt(digits, base)];
    if (!held) continue;
    if (index > at) cut.push(text.slice(at, index));
    cut.push(held);
    at = index + found.length;
  }
  if (at < text.length) cut.push(text.slice(at));
  return cut;
}

/** The expressions and tags of a text, sorted, which its translation must contain, too. */
export const expressionsIn = (text: string): string[] =>
  Array.from(text.matchAll(forms), ([found]) => found).toSorted();

/** The range of a tag with spaces, the line break and quote marks on both sides. */
export function withBlanks(text: string, { start, end }: MaskedRange): { start: number; end: number } {
  const [before = ""] = /[ \t]*(?:\r?\n[ \t>]*)?$/.exec(text.slice(Math.max(0, start - 200), start)) ?? [];
  const [after = ""] = /^[ \t]*(?:\r?\n[ \t>]*)?/.exec(text.slice(end, end + 200)) ?? [];
  return { start: start - before.length, end: end + after.length };
}
