// Where a Markdown text is prose, and not a block of code. Found line by line in one pass: a full parser takes minutes
// for texts that were written to be slow, and here only the edges of blocks matter.

export interface Prose {
  readonly start: number;
  readonly end: number;
}

/** An open block of fenced code: in quotes this deep, in a list item that begins at this column. */
interface Fence {
  readonly mark: string;
  readonly quotes: number;
  readonly column: number;
}

interface Line {
  readonly quotes: number;
  /** Columns before the text; a tab leads to the next multiple of four. */
  readonly indent: number;
  readonly text: string;
}

/** The prose of a text, block by block, without blank lines, fenced code and indented code. */
export function* proseIn(markdown: string): Generator<Prose> {
  const lines = new Lines();
  let first: number | null = null;
  let last = 0;
  for (let start = 0; start <= markdown.length;) {
    const newline = markdown.indexOf("\n", start);
    const end = newline === -1 ? markdown.length : newline;
    const kind = lines.take(markdown.slice(start, end));
    if (first !== null && kind !== "continues") {
      yield { start: first, end: last };
      first = null;
    }
    if (kind !== "none") {
      first ??= start;
      last = end;
    }
    start = end + 1;
  }
  if (first !== null) yield { start: first, end: last };
}

/** What a line is: code or blank, or prose that starts a block or continues the one before. */
type Kind = "none" | "starts" | "continues";

/** How many nested list items are recognized: for each of their marks the rest of the line is read again. */
const itemLimit = 32;

class Lines {
  #fence: Fence | null = null;
  #items: number[] = [];
  #quotes = 0;
  /** Whether the line before was of a paragraph, which the next one may continue. */
  #isInParagraph = false;

  take(source: string): Kind {
    const line = withoutQuotes(source, 3 + (this.#items.at(-1) ?? 0));
    if (this.#fence && this.#continuesFence(this.#fence, line)) return "none";
    if (line.text === "") {
      this.#isInParagraph = false;
      return "none";
    }
    if (line.quotes !== this.#quotes) this.#items = [];
    this.#quotes = line.quotes;
    this.#items = this.#items.filter((column) => column <= line.indent);
    return this.#read(line, false);
  }

  /** Whether a line is still inside; notes when it is the last one there. */
  #continuesFence({ mark, quotes, column }: Fence, line: Line): boolean {
    const isBehind = line.quotes < quotes || (line.text !== "" && line.indent < column);
    const isLast =
      line.quotes === quotes && line.text === (mark[0] ?? "").repeat(Math.max(mark.length, line.text.length));
    if (isBehind || isLast) this.#fence = null;
    return !isBehind;
  }

  /** Whether a line begins a block of code, which the next lines are then inside of. */
  #opensFence(text: string, quotes: number, column: number): boolean {
    const [mark] = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(text) ?? [];
    if (mark !== undefined) this.#fence = { mark, quotes, column };
    return mark !== undefined;
  }

  #read({ quotes, indent, text }: Line, isInItem: boolean): Kind {
    const column = this.#items.at(-1) ?? 0;
    const continues = this.#isInParagraph && !isInItem;
    if (indent - column >= 4 && !continues) return "none";
    this.#isInParagraph = false;
    if (this.#opensFence(text, quotes, column)) return "none";
    const item = this.#items.length < itemLimit ? itemOf(text) : null;
    if (!item) return this.#readProse(text, continues);
    this.#items.push(indent + item.width);
    if (item.text === "") return this.#readProse(text, false);
    return this.#read({ quotes, indent: indent + item.width + item.more, text: item.text }, true);
  }

  #readProse(text: string, continues: boolean): Kind {
    this.#isInParagraph = !isLineOfItsOwn.test(text);
    const isRow = text.startsWith("|"); // a span of code that begins in one cell of a table does not end in another
    return continues && !isRow && this.#isInParagraph ? "continues" : "starts";
  }
}

/** A heading, a horizontal rule, or the line below a heading: each ends the paragraph. */
const isLineOfItsOwn = /^(?:#{1,6}(?:\s|$)|([-*_])(?:[ \t]*\1){2,}$|=+$|-+$)/;

/** Strips the marks of quotes off a line, each indented by at most this much, and the blanks at its ends. */
function withoutQuotes(source: string, most: number): Line {
  let quotes = 0;
  let at = 0;
  for (;;) {
    const { indent, next } = skipBlanks(source, at);
    if (source[next] !== ">" || indent > most) return { quotes, indent, text: source.slice(next).trimEnd() };
    quotes++;
    at = source[next + 1] === " " ? next + 2 : next + 1;
  }
}

function skipBlanks(source: string, from: number): { indent: number; next: number } {
  let indent = 0;
  let next = from;
  for (; source[next] === " " || source[next] === "\t"; next++) indent += source[next] === " " ? 1 : 4 - (indent % 4);
  return { indent, next };
}

/** The list item, or footnote, that a line begins: the width of mark and blank, and its text `more` columns in. */
function itemOf(text: string): { width: number; more: number; text: string } | null {
  const [footnote] = /^\[\^[^\]\s]+\]:/.exec(text) ?? [];
  if (footnote !== undefined) return { width: 4, more: 0, text: text.slice(footnote.length).trimStart() };
  if (/^([-*_])(?:[ \t]*\1){2,}$/.test(text)) return null; // a line across the page
  const [mark] = /^(?:[-*+]|\d{1,9}[.)])(?=\s|$)/.exec(text) ?? [];
  if (mark === undefined) return null;
  const { indent, next } = skipBlanks(text, mark.length);
  const blanks = indent > 4 || next === text.length ? 1 : indent;
  return { width: mark.length + blanks, more: indent - blanks, text: text.slice(next) };
}
