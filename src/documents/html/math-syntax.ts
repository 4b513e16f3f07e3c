// The syntax of formulas: `$$` on lines of its own or within a line, and `$x$` as Pandoc reads it, so that prices such
// as "$5 and $10" are not formulas.
import remarkMath from "remark-math";
import type { Data, Processor } from "unified";

type Extension = NonNullable<Data["micromarkExtensions"]>[number];
type Construct = Exclude<NonNullable<Extension["text"]>[string], readonly unknown[] | undefined>;
type Tokenizer = Construct["tokenize"];
type State = Parameters<Tokenizer>[1];

const dollar = 36;
const isDigit = (code: number | null): boolean => code !== null && code >= 48 && code <= 57;

/** A plugin that adds formulas to a parser. */
export function mathSyntax(this: Processor): void {
  remarkMath.call(this as never); // it only adds to the data of the processor
  for (const extension of this.data().micromarkExtensions ?? []) {
    const construct = extension.text?.[dollar];
    if (construct && extension.text && !Array.isArray(construct))
      extension.text[dollar] = { ...construct, tokenize: careful(construct.tokenize) } satisfies Construct;
  }
}

/** Refuses one dollar before a blank, and one after a blank or before a digit. */
function careful(tokenize: Tokenizer): Tokenizer {
  return function (effects, ok, nok) {
    const first = this.events.length;
    const check: State = (code) => {
      const tokens = this.events.slice(first).flatMap(([side, token]) => (side === "enter" ? [token] : []));
      const [, opening, ...inside] = tokens;
      if (!opening || this.sliceSerialize(opening).length > 1) return ok(code);
      const text = inside
        .slice(0, -1)
        .map((token) => this.sliceSerialize(token))
        .join("");
      return /^\s|\s$/.test(text) || isDigit(code) ? nok(code) : ok(code);
    };
    return tokenize.call(this, effects, check, nok);
  };
}
