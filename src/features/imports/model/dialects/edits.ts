// Edits of a text: ranges with their new text, applied at once, and the way back from the new text to the old lines.
import type { Nodes, Root } from "mdast";

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Why the edit loses something; null if it means the same as before. */
  readonly warning?: string | null;
}

/** The rule of a dialect: what it replaces in a text. Every rule takes time linear in the text. */
export interface DialectRule {
  /** Matches the texts that the rule may concern: others are not parsed. */
  readonly sign: RegExp;
  edits(text: string, isCode: (at: number) => boolean): Edit[];
}

/** The edited text, and the offset in the old text of one in the new one. */
export interface EditedText {
  readonly text: string;
  readonly edits: readonly Edit[];
  oldOffset(at: number): number;
}

/** Applies edits in order of their start; one that overlaps an earlier one is dropped. */
export function applyEdits(text: string, all: readonly Edit[]): EditedText {
  const edits: Edit[] = [];
  for (const edit of all.toSorted((one, other) => one.start - other.start || other.end - one.end))
    if (edit.start >= (edits.at(-1)?.end ?? 0)) edits.push(edit);
  const parts: string[] = [];
  const starts: { readonly at: number; readonly old: number }[] = [{ at: 0, old: 0 }];
  let done = 0;
  let length = 0;
  for (const edit of edits) {
    parts.push(text.slice(done, edit.start), edit.text);
    length += edit.start - done + edit.text.length;
    done = edit.end;
    starts.push({ at: length, old: done });
  }
  parts.push(text.slice(done));
  const oldOffset = (at: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle]?.at ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const { at: start, old } = starts[low] ?? { at: 0, old: 0 };
    return old + at - start;
  };
  return { text: parts.join(""), edits, oldOffset };
}

type Span = { readonly start: number; readonly end: number };

const fence = /^[ \t>]*(`{3,}|~{3,})([^\n]*)$/gm;

/** Fences within HTML, which Markdown does not read: MDX and GitBook do. */
function* fencesIn(text: string, span: Span): Generator<Span> {
  let open: { mark: string; start: number } | null = null;
  for (const { 0: line, 1: mark = "", 2: rest = "", index } of text.slice(span.start, span.end).matchAll(fence)) {
    const at = span.start + index;
    if (!open) open = { mark, start: at };
    else if (mark.startsWith(open.mark) && rest.trim() === "") {
      yield { start: open.start, end: at + line.length };
      open = null;
    }
  }
  if (open) yield { start: open.start, end: span.end };
}

/** Whether an offset is in code. `indented` code counts only if the dialect has it: MDX does not. */
export function codeIn(tree: Root, text: string, of: { indented: boolean }): (at: number) => boolean {
  const spans: Span[] = [];
  const open: Nodes[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    const span = { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
    const isFenced = node.type === "code" && /^[`~]/.test(text.slice(span.start, span.start + 1));
    if (node.type === "inlineCode" || isFenced || (node.type === "code" && of.indented)) spans.push(span);
    else if (node.type === "html" || node.type === "code") spans.push(...fencesIn(text, span));
    if ("children" in node) open.push(...node.children);
  }
  const sorted = spans.toSorted((one, other) => one.start - other.start);
  return (at) => {
    let [low, high] = [0, sorted.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((sorted[middle]?.start ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const span = sorted[low];
    return span !== undefined && span.start <= at && at < span.end;
  };
}

/** Counts lines from the start of a text, for offsets that grow. */
export function lineCounter(text: string): (offset: number) => number {
  let [line, counted] = [1, 0];
  return (offset) => {
    if (offset < counted) [line, counted] = [1, 0];
    for (let at = text.indexOf("\n", counted); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
    counted = Math.max(offset, 0);
    return line;
  };
}

/** A text between double quotes in a tag of a block. */
export const quoted = (text: string): string => text.replaceAll('"', "'").replaceAll(/\s+/g, " ").trim();
