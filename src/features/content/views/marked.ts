// A text of a result of a search, with the words that match.
import { html, type Html } from "#src/http/html.ts";

/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A text with the ranges that match. */
export function marked(text: string, ranges: readonly Range[]): Html[] {
  let at = 0;
  const pieces: Html[] = [];
  for (const { start, end } of ranges) {
    pieces.push(html`${text.slice(at, start)}<mark>${text.slice(start, end)}</mark>`);
    at = end;
  }
  return [...pieces, html`${text.slice(at)}`];
}
