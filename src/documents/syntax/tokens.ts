// The types of micromark's tokenizers, and the tokenizer of formulas.
import type { Data } from "unified";

type Extension = NonNullable<Data["micromarkExtensions"]>[number];
export type Construct = Exclude<NonNullable<Extension["text"]>[string], readonly unknown[] | undefined>;
export type Tokenizer = Construct["tokenize"];
export type Effects = Parameters<Tokenizer>[0];
export type State = Parameters<Tokenizer>[1];
export type Code = Parameters<State>[0];
export type TokenType = Parameters<Effects["enter"]>[0];
export type Context = ThisParameterType<Tokenizer>;

export const isLineEnding = (code: Code): boolean => code !== null && code < -2;

const data = "sourceData" as TokenType;

/** Consumes the characters of a token: micromark expects a token within each of its lines. */
export class Characters {
  readonly #effects: Effects;
  #isOpen = false;

  constructor(effects: Effects) {
    this.#effects = effects;
  }

  take(code: Code): void {
    if (isLineEnding(code)) {
      this.end();
      this.#effects.enter("lineEnding");
      this.#effects.consume(code);
      this.#effects.exit("lineEnding");
      return;
    }
    if (!this.#isOpen) this.#effects.enter(data);
    this.#isOpen = true;
    this.#effects.consume(code);
  }

  /** Before a line ending that another state takes, and before the end of the token. */
  end(): void {
    if (this.#isOpen) this.#effects.exit(data);
    this.#isOpen = false;
  }
}

const dollar = 36;
const backslash = 92;
const isDigit = (code: Code): boolean => code !== null && code >= 48 && code <= 57;

/**
 * A formula: `$$x$$`, or `$x$` as Pandoc reads it, so that prices such as "$5 and $10" are not formulas: without blanks
 * at its edges, without code and links in it, and not before a digit.
 */
export const afterDollars = (type: TokenType, limit: number): Tokenizer =>
  function (effects, ok, nok) {
    const { previous } = this;
    const characters = new Characters(effects);
    let opened = 0;
    let closed = 0;
    let content = "";
    let isEscaped = false;
    const opening: State = (code) => {
      if (code !== dollar) return inside(code);
      if (++opened > 2) return nok(code);
      characters.take(code);
      return opening;
    };
    const inside: State = (code) => {
      if (closed > 0 && code !== dollar) {
        if (closed === opened && isFormula(content.slice(0, -closed), opened, code)) {
          characters.end();
          effects.exit(type);
          return ok(code);
        }
        if (opened === 1) return nok(code);
        closed = 0;
      }
      if (code === null || content.length > limit || (opened === 1 && content === "" && code < 33)) return nok(code);
      if (code === dollar && !isEscaped) closed++;
      isEscaped = code === backslash && !isEscaped;
      content += isLineEnding(code) ? "\n" : code < 0 ? " " : String.fromCharCode(code);
      characters.take(code);
      return inside;
    };
    return (code) => {
      if (previous === dollar) return nok(code); // in a run of dollars
      effects.enter(type);
      return opening(code);
    };
  };

function isFormula(content: string, size: number, after: Code): boolean {
  if (content.trim() === "") return false;
  return size > 1 || !(/^\s|\s$|`|\]\(/.test(content) || isDigit(after));
}
