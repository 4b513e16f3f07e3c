// GraphQL as HTML: names, types, texts and words of the language in colours of their own.
import { Lexer, Source, TokenKind } from "graphql";
import { html, type Html } from "#src/http/html.ts";

const words: ReadonlySet<string> = new Set(["query", "mutation", "subscription", "fragment", "on"]);

const classes: Readonly<Record<string, string>> = {
  [TokenKind.STRING]: "string",
  [TokenKind.BLOCK_STRING]: "string",
  [TokenKind.INT]: "number",
  [TokenKind.FLOAT]: "number",
  [TokenKind.DOLLAR]: "variable",
};

/** A document as a block of code. Throws what GraphQL says of a text that is none. */
export function graphqlText(text: string): Html {
  const lexer = new Lexer(new Source(text));
  const pieces: Html[] = [];
  let end = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    const own = token.kind === TokenKind.NAME ? classOfName(token.value, token.prev?.kind) : classes[token.kind];
    const written = text.slice(token.start, token.end);
    pieces.push(
      html`${text.slice(end, token.start)}`,
      own ? html`<span class="${own}">${written}</span>` : html`${written}`,
    );
    end = token.end;
  }
  return html`<pre><code>${pieces}${text.slice(end)}</code></pre>`;
}

function classOfName(name: string, before: TokenKind | undefined): string {
  if (words.has(name)) return "word";
  if (before === TokenKind.DOLLAR) return "variable";
  return /^[A-Z]/.test(name) ? "type" : "";
}
