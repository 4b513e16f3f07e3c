// Syntax of other dialects in Markdown: tags, expressions, formulas, containers and comments. Each becomes a `source`
// node of the syntax tree with the text as it was written. A line of tags ends paragraphs and lists.
import type { Literal } from "mdast";
import type { Data, Processor } from "unified";
import { attentionSyntax } from "#src/documents/syntax/attention.ts";
import type { BesideCjk } from "#src/documents/syntax/emphasis.ts";
import { afterDollars, Characters, type Code, type Tokenizer, type TokenType } from "#src/documents/syntax/tokens.ts";
import { indentedBlock, isContainerLine, isTagLine, lineOf, fencedBlock } from "#src/documents/syntax/blocks.ts";

/** Text that is kept as it was written: a block, or a part of a line. */
export interface Source extends Literal {
  type: "source";
}

declare module "mdast" {
  interface PhrasingContentMap {
    source: Source;
  }
  interface BlockContentMap {
    source: Source;
  }
  interface RootContentMap {
    source: Source;
  }
}

type Extension = NonNullable<Data["micromarkExtensions"]>[number];
type ToMarkdown = NonNullable<Data["toMarkdownExtensions"]>[number];
type Write = Extract<
  NonNullable<ToMarkdown["handlers"]>[keyof NonNullable<ToMarkdown["handlers"]>],
  (...args: never) => string
>;
type State = Parameters<Write>[2];
type Info = Parameters<Write>[3];
type FromMarkdown = Exclude<NonNullable<Data["fromMarkdownExtensions"]>[number], readonly unknown[]>;

/** The most characters of a piece within text: each possible start reads so far, and no further. */
const pieceLimit = 2_000;

interface Span {
  readonly start: string;
  readonly end: string;
  /** Whether it must be between blanks. */
  readonly isApart?: true;
}

const [openingBrace, percent] = [123, 37];

const isBlank = (code: Code): boolean => code === null || code < 0 || code === 32;

/** A piece of text from one sequence of characters to another one. */
const spanned = ({ start, end, isApart }: Span): Tokenizer =>
  function (effects, ok, nok) {
    const { previous } = this;
    const characters = new Characters(effects);
    let at = 0;
    let matched = 0;
    let length = 0;
    let before: Code = null;
    const opening = (code: Code) => {
      if (at === start.length) return inside(code);
      if (code !== start.charCodeAt(at)) return nok(code);
      at++;
      characters.take(code);
      return opening;
    };
    const inside = (code: Code): ReturnType<typeof ok> => {
      // Another piece that starts within it would let a text of starts take quadratic time.
      const starts = before === openingBrace && (code === openingBrace || code === percent);
      if (code === null || ++length > pieceLimit || starts) return nok(code);
      before = code;
      matched = code === end.charCodeAt(matched) ? matched + 1 : code === end.charCodeAt(0) ? 1 : 0;
      characters.take(code);
      return matched === end.length ? after : inside;
    };
    const after = (code: Code) => {
      if (length === end.length || (isApart && !isBlank(code))) return nok(code);
      characters.end();
      effects.exit(text);
      return ok(code);
    };
    return (code) => {
      if (isApart && !isBlank(previous)) return nok(code);
      effects.enter(text);
      return opening(code);
    };
  };

const text = "sourceText" as TokenType;
const block = "sourceBlock" as TokenType;

const expression = spanned({ start: "{{", end: "}}" });
const tag = spanned({ start: "{%", end: "%}" });
const comment = spanned({ start: "%%", end: "%%", isApart: true });
const formula = afterDollars(text, pieceLimit);

const syntax: Extension = {
  text: {
    [36]: { name: "sourceFormula", tokenize: formula },
    [37]: { name: "sourceComment", tokenize: comment },
    [123]: [
      { name: "sourceExpression", tokenize: expression },
      { name: "sourceTag", tokenize: tag },
    ],
  },
  flow: {
    [33]: { name: "sourceAdmonition", tokenize: indentedBlock(block) },
    [36]: { name: "sourceFormulas", tokenize: fencedBlock(block, "$$"), concrete: true },
    [37]: { name: "sourceComments", tokenize: fencedBlock(block, "%%"), concrete: true },
    [58]: { name: "sourceContainer", tokenize: lineOf(block, isContainerLine) },
    [61]: { name: "sourceTab", tokenize: indentedBlock(block) },
    [63]: { name: "sourceDetails", tokenize: indentedBlock(block) },
    [123]: { name: "sourceTags", tokenize: lineOf(block, isTagLine) },
  },
};

type Handle = NonNullable<NonNullable<FromMarkdown["exit"]>[string]>;

const enter: Handle = function (token) {
  this.enter({ type: "source", value: "" }, token);
};

const exit: Handle = function (token) {
  const node = this.stack.at(-1);
  if (node?.type === "source") node.value = this.sliceSerialize(token).replaceAll(/\r\n?/g, "\n");
  this.exit(token);
};

/** How the syntax is written. Text that would be read as such is escaped. */
const writing: ToMarkdown = {
  handlers: { source: writeSource, besideCjk: writeBesideCjk } as NonNullable<ToMarkdown["handlers"]>,
  unsafe: [
    { character: "{", after: "[{%]", inConstruct: "phrasing" },
    { atBreak: true, character: ":", after: "::" },
    { atBreak: true, character: "!", after: "!!" },
    { atBreak: true, character: "?", after: "\\?\\?" },
  ],
};

/** A plugin that adds the syntax to a parser or a writer. */
export function sourceSyntax(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), syntax, attentionSyntax];
  const handlers: FromMarkdown = {
    enter: { [text]: enter, [block]: enter },
    exit: { [text]: exit, [block]: exit },
  };
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), handlers];
  data.toMarkdownExtensions = [...(data.toMarkdownExtensions ?? []), writing];
}

/** A plugin that escapes signs that alone are text, and syntax together with others. */
export function strictSyntax(this: Processor): void {
  const data = this.data();
  const unsafe: ToMarkdown["unsafe"] = ["$", "%"].map((character) => ({ character, inConstruct: "phrasing" as const }));
  data.toMarkdownExtensions = [...(data.toMarkdownExtensions ?? []), { unsafe }];
}

function writeSource({ value }: Source): string {
  return value;
}
writeSource.peek = ({ value }: Source): string => value.charAt(0);

function writeBesideCjk({ sequence, ...node }: BesideCjk, _parent: unknown, state: State, info: Info): string {
  const exit = state.enter("phrasing");
  const inside = state.containerPhrasing(node as never, { ...info, before: sequence, after: sequence });
  exit();
  return `${sequence}${inside}${sequence}`;
}
writeBesideCjk.peek = ({ sequence }: BesideCjk): string => sequence.charAt(0);
