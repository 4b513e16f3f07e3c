// The results of a search of the documentation, with the words that were searched for marked.
import { html, type Html } from "#src/http/html.ts";
import { type Found, search, type SearchIndex, type SearchResult } from "#src/server/pages/docs/search-index.ts";

/** The most results of one page. */
const mostResults = 30;

/** The characters of a text that a result shows. */
const excerptLength = 220;

/** Searches, and shows the results. */
export function resultsOf(index: SearchIndex, query: string): Html {
  const result = search(index, query);
  const shown = result.found.slice(0, mostResults);
  const marks = marksOf(result.words);
  return html`<p role="status">${summaryOf(result, query)}</p>
    <ol class="results">
      ${shown.map((found) => resultOf(found, marks))}
    </ol>`;
}

function summaryOf({ found, isPartial }: SearchResult, query: string): Html {
  const count = `${found.length} ${found.length === 1 ? "section" : "sections"}`;
  if (found.length === 0) return html`Nothing was found for “${query}”. Try fewer words, or the beginning of one.`;
  const best = found.length > mostResults ? html` The best ${mostResults} are shown.` : "";
  if (isPartial) return html`No section has all words of “${query}”. ${count} with some of them.${best}`;
  return html`${count} for “${query}”.${best}`;
}

function resultOf({ entry: { href, page, title, text } }: Found, marks: RegExp | null): Html {
  return html`<li>
    <p class="result">
      <a href="${href}">${marked(title, marks)}</a>${title === page ? "" : html` <span>${page}</span>`}
    </p>
    <p>${marked(excerptOf(text, marks), marks)}</p>
  </li>`;
}

/** Matches what was found: the words at the beginning of words. They consist of letters, digits and `_` alone. */
function marksOf(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null;
  const parts = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => (word.length > 1 ? word : `${word}(?![\\p{L}\\p{N}])`));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join("|")})`, "giu");
}

function marked(text: string, marks: RegExp | null): Html[] {
  if (!marks) return [html`${text}`];
  const pieces: Html[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(marks)) {
    pieces.push(html`${text.slice(end, index)}<mark>${word}</mark>`);
    end = index + word.length;
  }
  return [...pieces, html`${text.slice(end)}`];
}

/** The part of a text around the first word that was searched for. */
function excerptOf(text: string, marks: RegExp | null): string {
  if (text.length <= excerptLength) return text;
  const at = marks ? text.search(marks) : 0;
  const wanted = Math.max(0, Math.min(at - 60, text.length - excerptLength));
  const start = wanted === 0 ? 0 : text.indexOf(" ", wanted - 1) + 1;
  const end = start + excerptLength;
  const cut = end >= text.length ? text.length : Math.max(text.lastIndexOf(" ", end), start + excerptLength / 2);
  return `${start > 0 ? "… " : ""}${text.slice(start, cut).toWellFormed()}${cut < text.length ? " …" : ""}`;
}
