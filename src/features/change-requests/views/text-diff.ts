// The difference of two texts as HTML: changed lines beside unchanged ones, with the changed words in `ins` and `del`.
import { diffWordsWithSpace } from "diff";
import { html, type Html } from "#src/http/html.ts";

/** Changed lines with the unchanged lines around them, as `TextChange.hunks` gives them. */
export interface Hunk {
  readonly beforeStart: number;
  readonly afterStart: number;
  readonly lines: readonly { readonly kind: "ADDED" | "CONTEXT" | "REMOVED"; readonly text: string }[];
}

/** The most characters whose words are compared, on each side of a change: longer ones are shown as whole lines. */
const mostCharacters = 20_000;

/** The most words that differ: beyond it, lines are shown instead. Also limits the time of a comparison. */
const mostEdits = 400;

/** The most lines of a text that are shown. */
const mostLines = 400;

/** Lines of one kind in a row; a changed one has both sides. */
type Run = { readonly same: string } | { readonly was: string; readonly is: string };

/** The changed lines of a text. Lines beyond the first 400 are counted only. */
export function textDiff(hunks: readonly Hunk[]): Html {
  let left = mostLines;
  const shown = hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    return lines.length === 0 ? [] : [hunkOf({ ...hunk, lines })];
  });
  const omitted = hunks.reduce((sum, { lines }) => sum + lines.length, 0) - mostLines;
  return html`<div class="diff">${shown}</div>
    ${omitted > 0 ? html`<p class="soft">${omitted} more lines are not shown here.</p>` : ""}`;
}

const hunkOf = ({ afterStart, lines }: Hunk): Html =>
  html`<div class="hunk" role="group" aria-label="From line ${afterStart}">${runsOf(lines).map(runView)}</div>`;

function runsOf(lines: Hunk["lines"]): Run[] {
  const runs: Run[] = [];
  for (const { kind, text } of lines) {
    const last = runs.at(-1);
    if (kind === "CONTEXT") {
      if (last && "same" in last) runs[runs.length - 1] = { same: last.same + text };
      else runs.push({ same: text });
      continue;
    }
    const { was, is } = last && "was" in last ? last : { was: "", is: "" };
    const next = kind === "REMOVED" ? { was: was + text, is } : { was, is: is + text };
    if (last && "was" in last) runs[runs.length - 1] = next;
    else runs.push(next);
  }
  return runs;
}

function runView(run: Run): Html {
  if ("same" in run) return html`<p>${withoutBreak(run.same)}</p>`;
  const words = wordsOf(run.was, run.is);
  if (words) return html`<p class="changed">${words}</p>`;
  return html`${run.was === "" ? "" : html`<p class="removed"><del>${withoutBreak(run.was)}</del></p>`}${
    run.is === "" ? "" : html`<p class="added"><ins>${withoutBreak(run.is)}</ins></p>`
  }`;
}

const withoutBreak = (text: string): string => text.replace(/\r?\n$/, "");

/** Both sides as one text with its changed words; null if they have little in common. */
export function wordsOf(was: string, is: string): Html[] | null {
  if (was === "" || is === "" || Math.max(was.length, is.length) > mostCharacters) return null;
  const parts = diffWordsWithSpace(withoutBreak(was), withoutBreak(is), { maxEditLength: mostEdits });
  if (!parts) return null;
  const common = parts.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length), 0);
  if (common < 0.3 * Math.min(was.length, is.length)) return null;
  return parts.map(({ added, removed, value }) =>
    added ? html`<ins>${value}</ins>` : removed ? html`<del>${value}</del>` : html`${value}`,
  );
}
