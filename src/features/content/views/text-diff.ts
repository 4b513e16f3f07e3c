// The differences of texts as HTML: changed lines beside unchanged ones, with the changed words in `ins` and `del`.
import { diffWordsWithSpace } from "diff";
import { html, type Html } from "#src/http/html.ts";

/** Changed lines with the unchanged lines around them, as `TextChange.hunks` gives them. */
export interface Hunk {
  readonly beforeStart: number;
  readonly afterStart: number;
  readonly lines: readonly { readonly kind: "ADDED" | "CONTEXT" | "REMOVED"; readonly text: string }[];
}

/** The most characters on a side of a change whose words are compared; longer ones are shown as whole lines. */
const mostCharacters = 5_000;

/** The same for all changes of a page: the rest is shown as lines. */
const mostOfPage = 60_000;

/** The most words that differ: beyond it, lines are shown. The time of a comparison grows with its square. */
const mostEdits = 200;

/** The most lines of a text that are shown. */
const mostLines = 400;

/** Lines of one kind in a row; a changed one has both sides. */
type Run = { readonly same: string } | { readonly was: string; readonly is: string };

/** The differences on one page, which together compare a limited number of words. */
export class TextDiffs {
  #left = mostOfPage;

  /** The changed lines of a text. Lines beyond the first 400 are counted only. */
  lines(hunks: readonly Hunk[]): Html {
    let left = mostLines;
    const shown = hunks.flatMap((hunk) => {
      const lines = hunk.lines.slice(0, left);
      left -= lines.length;
      return lines.length === 0 ? [] : [this.#hunk({ ...hunk, lines })];
    });
    const omitted = hunks.reduce((sum, { lines }) => sum + lines.length, 0) - mostLines;
    return html`<div class="diff">${shown}</div>
      ${omitted > 0 ? html`<p class="soft">${omitted} more lines are not shown here.</p>` : ""}`;
  }

  /** Both sides as one text with its changed words; null if they have little in common, or are too long. */
  words(was: string, is: string): Html[] | null {
    const length = Math.max(was.length, is.length);
    if (was === "" || is === "" || length > Math.min(mostCharacters, this.#left)) return null;
    this.#left -= length;
    const parts = diffWordsWithSpace(withoutBreak(was), withoutBreak(is), { maxEditLength: mostEdits });
    if (!parts) return null;
    const common = parts.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length), 0);
    if (common < 0.3 * Math.min(was.length, is.length)) return null;
    return parts.map(({ added, removed, value }) =>
      added ? html`<ins>${value}</ins>` : removed ? html`<del>${value}</del>` : html`${value}`,
    );
  }

  #hunk({ afterStart, lines }: Hunk): Html {
    const runs = runsOf(lines).map((run) => this.#run(run));
    return html`<div class="hunk" role="group" aria-label="From line ${afterStart}">${runs}</div>`;
  }

  #run(run: Run): Html {
    if ("same" in run) return html`<p>${withoutBreak(run.same)}</p>`;
    const words = this.words(run.was, run.is);
    if (words) return html`<p class="changed">${words}</p>`;
    return html`${run.was === "" ? "" : html`<p class="removed"><del>${withoutBreak(run.was)}</del></p>`}${
      run.is === "" ? "" : html`<p class="added"><ins>${withoutBreak(run.is)}</ins></p>`
    }`;
  }
}

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

const withoutBreak = (text: string): string => text.replace(/\r?\n$/, "");
