// The tokenizers of blocks that are kept as they were written: lines of tags, fenced and indented blocks.
import {
  Characters,
  type Code,
  type Construct,
  isLineEnding,
  type State,
  type Tokenizer,
  type TokenType,
} from "#src/documents/syntax/tokens.ts";

/** Whether a line consists of `{% tags %}`. */
export function isTagLine(line: string): boolean {
  const parts = line.trimEnd().split("%}");
  return parts.pop() === "" && parts.length > 0 && parts.every((part) => /^[ \t]*\{%[^%]/.test(part));
}

/** Whether a line starts or ends a container, such as `:::tip Title`. */
export const isContainerLine = (line: string): boolean =>
  /^:{3,}[ \t]*(?:(?:[A-Za-z][\w-]*|\{[^{}]*\})(?:[ \t[{].*)?)?$/.test(line.trimEnd());

/** Whether a line starts a block of MkDocs: `!!! note "Title"`, `??? note`, `=== "Tab"`. */
const startsIndented = (line: string): boolean =>
  /^(?:(?:!!!|\?\?\?\+?)[ \t]+[A-Za-z][\w-]*(?:[ \t]+[\w-]+)*[ \t]*(?:"[^"]*")?|===[!+]?[ \t]+"[^"]*")$/.test(
    line.trimEnd(),
  );

/** Lines longer than this are text. */
const lineLimit = 5_000;

/** A line that passes a test. */
export const lineOf = (type: TokenType, test: (line: string) => boolean): Tokenizer =>
  function (effects, ok, nok) {
    const characters = new Characters(effects);
    let line = "";
    const inside: State = (code) => {
      if (code === null || isLineEnding(code)) {
        if (!test(line)) return nok(code);
        characters.end();
        effects.exit(type);
        return ok(code);
      }
      if (line.length > lineLimit) return nok(code);
      line += code < 0 ? " " : String.fromCharCode(code);
      characters.take(code);
      return inside;
    };
    return (code) => {
      effects.enter(type);
      return inside(code);
    };
  };

/** The end of a line whose next line belongs to the same block of Markdown. */
const nextLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const started: State = (code) => (this.parser.lazy[this.now().line] === true ? nok(code) : ok(code));
    return (code) => {
      if (!isLineEnding(code)) return nok(code);
      effects.enter("lineEnding");
      effects.consume(code);
      effects.exit("lineEnding");
      return started;
    };
  },
};

/** Lines between two lines of this fence alone. Without its end it is text. */
export const fencedBlock = (type: TokenType, fence: string): Tokenizer =>
  function (effects, ok, nok) {
    if (this.interrupt) return nok;
    const characters = new Characters(effects);
    let line = "";
    let isFirst = true;
    const ended: State = (code) => {
      const isFence = line.trim() === fence;
      characters.end();
      if (isFirst !== isFence && isFirst) return nok(code);
      if (isFence && !isFirst) {
        effects.exit(type);
        return ok(code);
      }
      isFirst = false;
      line = "";
      return effects.attempt(nextLine, inside, nok)(code);
    };
    const inside: State = (code) => {
      if (code === null || isLineEnding(code)) return ended(code);
      if (isFirst && line.length > fence.length + 20) return nok(code);
      if (line.length <= lineLimit) line += code < 0 ? " " : String.fromCharCode(code);
      characters.take(code);
      return inside;
    };
    return (code) => {
      effects.enter(type);
      return inside(code);
    };
  };

const columnsOf = (code: Code): number => (code === 32 || code === -1 || code === -2 ? 1 : 0);

/** Ends of lines up to one that is indented by four columns. */
const indentedLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const characters = new Characters(effects);
    let columns = 0;
    const indent: State = (code) => {
      if (isLineEnding(code)) return again(code);
      if (columnsOf(code) === 0) return nok(code);
      columns += columnsOf(code);
      characters.take(code);
      return columns < 4 ? indent : rest;
    };
    /** A line of blanks alone is blank. */
    const rest: State = (code) => {
      if (isLineEnding(code)) return again(code);
      if (code === null) return nok(code);
      if (columnsOf(code) === 0) {
        characters.end();
        return ok(code);
      }
      characters.take(code);
      return rest;
    };
    const again: State = (code) => {
      columns = 0;
      characters.end();
      return effects.attempt(nextLine, indent, nok)(code);
    };
    return again;
  },
};

/** A block of MkDocs with the indented lines after its first one. */
export const indentedBlock = (type: TokenType): Tokenizer =>
  function (effects, ok, nok) {
    const characters = new Characters(effects);
    let line: string | null = "";
    const end: State = (code) => {
      effects.exit(type);
      return ok(code);
    };
    const inside: State = (code) => {
      if (code === null || isLineEnding(code)) {
        if (line !== null && !startsIndented(line)) return nok(code);
        line = null;
        characters.end();
        return code === null ? end(code) : effects.attempt(indentedLine, inside, end)(code);
      }
      if (line !== null && line.length > lineLimit) return nok(code);
      if (line !== null) line += code < 0 ? " " : String.fromCharCode(code);
      characters.take(code);
      return inside;
    };
    return (code) => {
      effects.enter(type);
      return inside(code);
    };
  };
