// Emphasis beside Chinese, Japanese and Korean, which are written without blanks: `**注：**押す` is bold, as in the
// proposal "CJK friendly emphasis" for CommonMark. Everything else is as CommonMark and GFM read it.
import type { Data } from "unified";
import type { Code, Construct, Context, State } from "#src/documents/syntax/tokens.ts";

type Extension = NonNullable<Data["micromarkExtensions"]>[number];

const cjkText =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\u30fb\u30fc\uff00-\uffef\ufe30-\ufe4f]/u;
const punctuation = /[\p{P}\p{S}]/u;
const whitespace = /\s/;

type Kind = "blank" | "punctuation" | "letter";

const isCjk = (character: string): boolean => cjkText.test(character);

/** Punctuation of these scripts counts as a letter. */
function kindOf(character: string): Kind {
  if (character === "" || whitespace.test(character)) return "blank";
  return punctuation.test(character) && !isCjk(character) ? "punctuation" : "letter";
}

/** Whether a sequence between two characters may start, and may end, emphasis. An empty text is the edge of a text. */
export function sidesOf(before: string, after: string): { opens: boolean; closes: boolean } {
  const [left, right] = [kindOf(before), kindOf(after)];
  return {
    opens: right === "letter" || (right === "punctuation" && (left !== "letter" || isCjk(before))),
    closes: left === "letter" || (left === "punctuation" && (right !== "letter" || isCjk(after))),
  };
}

const textOf = (code: Code): string => (code === null || code < 0 ? " " : String.fromCharCode(code));

function coreOf(context: Context, code: number, name: string): Construct {
  const constructs = context.parser.constructs.text[code] ?? [];
  const found = (Array.isArray(constructs) ? constructs : [constructs]).find((one) => one.name === name);
  if (!found) throw new Error(`The parser of Markdown lacks the construct ${name}.`);
  return found;
}

/** Reads a sequence as the parser does, and also lets it start or end emphasis beside characters of these scripts. */
const friendly = (code: number, name: string): Construct => ({
  name: `${name}BesideCjk`,
  tokenize(effects, ok, nok) {
    const { previous } = this;
    const done: State = (after) => {
      const token = this.events.at(-1)?.[1];
      const [left, right] = [textOf(previous), textOf(after)];
      if (token && (isCjk(left) || isCjk(right))) {
        const { opens, closes } = sidesOf(left, right);
        token._open ||= opens;
        token._close ||= closes;
      }
      return ok(after);
    };
    return coreOf(this, code, name).tokenize.call(this, effects, done, nok);
  },
  resolveAll: (events, context) => coreOf(context, code, name).resolveAll?.(events, context) ?? events,
});

export const attentionSyntax: Extension = {
  text: { [42]: friendly(42, "attention"), [126]: friendly(126, "strikethrough") },
};
