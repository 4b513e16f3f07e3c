// The syntax of formulas: `$$` on lines of its own or within a line, and `$x$` as Pandoc reads it, so that prices such
// as "$5 and $10" are not formulas.
import type { Construct, Extension, State, Tokenizer } from "micromark-util-types";
import remarkMath from "remark-math";
import type { Processor } from "unified";

const dollar = 36;
const isDigit = (code: number | null): boolean => code !== null && code >= 48 && code <= 57;

/** Adds formulas to a parser. */
export function mathSyntax(this: Processor): void {
  this.use(remarkMath); // registers when this plugin is frozen
  remarkMath.call(this as never);
  const { micromarkExtensions = [] } = this.data();
  for (const extension of micromarkExtensions as Extension[]) {
    const construct = extension.text?.[dollar] as Construct | undefined;
    if (construct && extension.text) extension.text[dollar] = { ...construct, tokenize: careful(construct.tokenize) };
  }
}

/** Refuses one dollar before a blank, and one after a blank or before a digit. */
function careful(tokenize: Tokenizer): Tokenizer {
  return function (effects, ok, nok) {
    const first = this.events.length;
    const check: State = (code) => {
      const own = this.events.slice(first).filter(([side]) => side === "enter");
      const [opening] = own.filter(([, { type }]) => type === "mathTextSequence");
      const content = own.filter(([, { type }]) => type !== "mathTextSequence" && type !== "mathText");
      const isOne = opening && this.sliceSerialize(opening[1]).length === 1;
      if (!isOne) return ok(code);
      const text = content.map(([, token]) => this.sliceSerialize(token)).join("");
      return /^\s|\s$/.test(text) || isDigit(code) ? nok(code) : ok(code);
    };
    return tokenize.call(this, effects, check, nok);
  };
}
