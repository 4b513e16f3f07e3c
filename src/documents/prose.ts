// Finds the prose of a Markdown text, without code blocks, in one pass over its lines: a full parser takes minutes for
// adversarial texts, and only the block boundaries matter here.

export interface Prose {
  readonly start: number;
  readonly end: number;
}

/** An open fenced code block: its quote depth, and the start column of its list item. */
interface Fence {
  readonly mark: string;
  readonly quotes: number;
  readonly column: number;
}

interface Line {
  readonly quotes: number;
  /** Columns before the text; a tab advances to the next multiple of four. */
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

/** The kind of a line: code or blank, or prose that starts a block or continues the previous one. */
type Kind = "none" | "starts" | "continues";

/** Maximum depth of list items: each marker causes another scan of the rest of the line. */
const itemLimit = 32;

class Lines {
  #fence: Fence | null = null;
  #items: number[] = [];
  #quotes = 0;
  /** Whether the previous line was in a paragraph, which the next one may continue. */
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

  /** Whether a line is inside the fence; closes the fence at its last line. */
  #continuesFence({ mark, quotes, column }: Fence, line: Line): boolean {
    const isBehind = line.quotes < quotes || (line.text !== "" && line.indent < column);
    const isLast =
      line.quotes === quotes && line.text === (mark[0] ?? "").repeat(Math.max(mark.length, line.text.length));
    if (isBehind || isLast) this.#fence = null;
    return !isBehind;
  }

  /** Whether a line opens a code block that contains the next lines. */
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
    const isRow = text.startsWith("|"); // a code span cannot extend over two cells of a table
    return continues && !isRow && this.#isInParagraph ? "continues" : "starts";
  }
}

/** A heading, a horizontal rule, or the underline of a heading: each ends the paragraph. */
const isLineOfItsOwn = /^(?:#{1,6}(?:\s|$)|([-*_])(?:[ \t]*\1){2,}$|=+$|-+$)/;

/** Strips quote markers, each indented by at most `most` columns, and surrounding whitespace from a line. */
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

/** The list item or footnote that a line starts: the width of its marker, and its text, `more` columns further. */
function itemOf(text: string): { width: number; more: number; text: string } | null {
  const [footnote] = /^\[\^[^\]\s]+\]:/.exec(text) ?? [];
  if (footnote !== undefined) return { width: 4, more: 0, text: text.slice(footnote.length).trimStart() };
  if (/^([-*_])(?:[ \t]*\1){2,}$/.test(text)) return null; // a horizontal rule
  const [mark] = /^(?:[-*+]|\d{1,9}[.)])(?=\s|$)/.exec(text) ?? [];
  if (mark === undefined) return null;
  const { indent, next } = skipBlanks(text, mark.length);
  const blanks = indent > 4 || next === text.length ? 1 : indent;
  return { width: mark.length + blanks, more: indent - blanks, text: text.slice(next) };
}
