// What Markdown does not know and nobody may translate: expressions, and the tags of hints and tabs. Before the text is
// parsed each is masked by as many reserved characters, which say its number: all places stay as they are.

/** Something that is held out, in the original text. */
export interface HeldOut {
  readonly start: number;
  readonly end: number;
  /** It parts what is before it from what is behind it: nothing is moved across it. */
  readonly parts: boolean;
}

/** Reserved for processes: no text has them. The first begins a mask, the others are digits. */
const reserved = /[\uFDD0-\uFDEF]/;
const [opening, zero, base] = ["\uFDD0", 0xfdd1, 31];

/** `{{name}}`, `{{reusable:id}}`; `{% hint %}`; `[!NOTE]` on a line of its own at the start of a quote. */
const forms =
  /(?<!\\)(?:\{\{[ \t]{0,20}(?:reusable:\w{1,100}|[\p{L}_][\p{L}\p{N}_-]{0,99})[ \t]{0,20}\}\}|\{%[^\n]{0,500}?%\})|\[!\w{1,20}\](?<=(?:^|\n)[ \t>]{0,200}>[ \t]?\[!\w{1,20}\])(?=[ \t]{0,20}(?:\r?\n|$))/gu;

export interface Masked {
  readonly text: string;
  readonly heldOut: readonly HeldOut[];
}

/** The text with masks; null for one that has reserved characters itself. */
export function mask(text: string): Masked | null {
  if (reserved.test(text)) return null;
  const heldOut: HeldOut[] = [];
  const masked = text.replaceAll(forms, (found, start: number) => {
    const digits = heldOut.length.toString(base).padStart(found.length - 1, "0");
    if (digits.length >= found.length) return found;
    heldOut.push({ start, end: start + found.length, parts: !found.startsWith("{{") });
    return opening + Array.from(digits, (digit) => String.fromCharCode(zero + Number.parseInt(digit, base))).join("");
  });
  return { text: masked, heldOut };
}

/** A mask in a text. */
const oneMask = /\uFDD0[\uFDD1-\uFDEF]+/g;

/** A text of the masked one, cut where something is held out. */
export function unmask(text: string, { heldOut }: Masked): (string | HeldOut)[] {
  const cut: (string | HeldOut)[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(oneMask)) {
    const digits = Array.from(found.slice(1), (digit) => (digit.charCodeAt(0) - zero).toString(base)).join("");
    const held = heldOut[Number.parseInt(digits, base)];
    if (!held) continue;
    if (index > at) cut.push(text.slice(at, index));
    cut.push(held);
    at = index + found.length;
  }
  if (at < text.length) cut.push(text.slice(at));
  return cut;
}

/** The expressions and tags of a text, sorted: what has to be the same in its translation. */
export const heldOutIn = (text: string): string[] => Array.from(text.matchAll(forms), ([found]) => found).toSorted();

/** Where what parts begins and ends with the blanks and the line break on both sides, and the marks of quotes. */
export function withBlanks(text: string, { start, end }: HeldOut): { start: number; end: number } {
  const [before = ""] = /[ \t]*(?:\r?\n[ \t>]*)?$/.exec(text.slice(Math.max(0, start - 200), start)) ?? [];
  const [after = ""] = /^[ \t]*(?:\r?\n[ \t>]*)?/.exec(text.slice(end, end + 200)) ?? [];
  return { start: start - before.length, end: end + after.length };
}
