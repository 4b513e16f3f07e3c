// Writes a document over the text that it was read from: the blocks that are the same keep their bytes, and so do the
// line breaks between two of them.
import { diffArrays } from "diff";
import { BlockWriter } from "#src/documents/writing/blocks.ts";
import { checkDocument } from "#src/documents/check-document.ts";
import type { PlainDocument, PlainElement } from "#src/documents/document.ts";
import { fromMarkdown, readPlaced } from "#src/documents/from-markdown.ts";
import { writeExactly } from "#src/documents/markdown.ts";
import { isSameDocument } from "#src/documents/writing/same.ts";

/** The most blocks that differ: a text with more is written as a whole. */
const mostDifferences = 2_000;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A run of blocks of the new document: some of the text before, or new ones in place of others. */
type Part =
  | { readonly kept: readonly number[] }
  | { readonly blocks: readonly PlainElement[]; readonly instead: readonly number[] };

/** The text of a document with the bytes of unchanged blocks of `base`; null if they cannot be kept. */
export function writeOver(document: PlainDocument, base: string): string | null {
  const placed = readPlaced(base);
  if (!placed) return null;
  const { read, ranges } = placed;
  const before = checkDocument(read, "");
  const parts = partsOf(before.nodes, document.nodes);
  if (!parts || canonical(before.data) !== canonical({ schemaVersion: 1, ...document.data })) return null;
  const isAsLong = document.nodes.length === before.nodes.length;
  if (isAsLong && parts.every((part) => "kept" in part)) return base;
  if (!parts.some((part) => "kept" in part)) return null;
  for (const [keepsGaps, isStrict] of [
    [true, false],
    [false, false],
    [false, true],
  ] as const) {
    const markdown = new Writer(document.nodes, { base, before: before.nodes, ranges }, { keepsGaps, isStrict }).write(
      parts,
    );
    if (isSameDocument(fromMarkdown(markdown), document)) return markdown;
  }
  return null;
}

function partsOf(before: readonly PlainElement[], after: readonly PlainElement[]): Part[] | null {
  const found = diffArrays(before.map(canonical), after.map(canonical), { maxEditLength: mostDifferences });
  if (!found) return null;
  const parts: Part[] = [];
  let [at, next] = [0, 0];
  for (let index = 0; index < found.length; index++) {
    const { added, removed, count } = found[index] ?? { added: false, removed: false, count: 0 };
    const indexes = Array.from({ length: count }, (_, place) => at + place);
    if (!added) at += count;
    if (!removed) next += count;
    if (!added && !removed) parts.push({ kept: indexes });
    else if (added) parts.push({ blocks: after.slice(next - count, next), instead: [] });
    else {
      const { added: isReplaced, count: replaced = 0 } = found[index + 1] ?? {};
      if (!isReplaced) continue;
      parts.push({ blocks: after.slice(next, next + replaced), instead: indexes });
      next += replaced;
      index++;
    }
  }
  return parts;
}

/** A value as text that does not depend on keys of nodes, on defaults, and on the order of properties. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (name, given: unknown) => {
    if (typeof given !== "object" || given === null)
      return name === "isVoid" || name === "definition" ? undefined : given;
    if (Array.isArray(given)) return given.length === 0 && name !== "" ? undefined : given.map(withoutKey);
    const entries = Object.entries(given).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return name === "data" && entries.length === 0 ? undefined : Object.fromEntries(entries);
  });
}

/** A column of a table without its key. */
function withoutKey(item: unknown): unknown {
  if (typeof item !== "object" || item === null || "object" in item || !("key" in item)) return item;
  const { key: _key, ...others } = item;
  return others;
}

interface Before {
  readonly base: string;
  readonly before: readonly PlainElement[];
  readonly ranges: readonly Range[];
}

interface Options {
  /** Whether blocks that replace as many others keep the line breaks around those. */
  readonly keepsGaps: boolean;
  readonly isStrict: boolean;
}

class Writer {
  readonly #blocks: BlockWriter;
  /** The index of a block of the text before by its meaning: a moved block keeps its bytes, too. */
  readonly #known: ReadonlyMap<string, number>;
  readonly #base: string;
  readonly #ranges: readonly Range[];
  readonly #options: Options;
  #text = "";
  /** The index of the block of the text before that the last one is, or replaces. */
  #last: number | null = -1;

  constructor(nodes: readonly PlainElement[], { base, before, ranges }: Before, options: Options) {
    this.#blocks = new BlockWriter(nodes, { isCareful: false });
    this.#known = new Map(before.map((block, index) => [canonical(block), index]));
    this.#base = base;
    this.#ranges = ranges;
    this.#options = options;
  }

  write(parts: readonly Part[]): string {
    for (const part of parts) {
      if ("kept" in part) for (const index of part.kept) this.#put(this.#source(index), index);
      else this.#write(part);
    }
    const end = this.#ranges.at(-1)?.end ?? 0;
    return this.#text + (this.#last === this.#ranges.length - 1 ? this.#base.slice(end) : "\n");
  }

  #source(index: number): string {
    const { start = 0, end = 0 } = this.#ranges[index] ?? {};
    return this.#base.slice(start, end);
  }

  #write({ blocks, instead }: Extract<Part, { blocks: unknown }>): void {
    const { keepsGaps, isStrict } = this.#options;
    const replaces = keepsGaps && instead.length === blocks.length;
    for (const [place, block] of blocks.entries()) {
      const known = this.#known.get(canonical(block));
      const flow = known === undefined ? this.#blocks.flow(block) : null;
      const written = flow ? writeExactly({ type: "root", children: [flow] }, { isStrict }).replace(/\n$/, "") : "";
      const source = known === undefined ? written : this.#source(known);
      if (source !== "") this.#put(source, replaces ? (instead[place] ?? null) : null);
    }
  }

  #put(source: string, index: number | null): void {
    const isNext = index !== null && this.#last === index - 1;
    const from = index === 0 ? 0 : (this.#ranges[(index ?? 0) - 1]?.end ?? 0);
    const gap = isNext ? this.#base.slice(from, this.#ranges[index]?.start) : this.#text === "" ? "" : "\n\n";
    this.#text += gap + source;
    this.#last = index;
  }
}
