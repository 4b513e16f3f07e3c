// The language of a code block: highlighters name it in classes and attributes of the code and of elements around it.
import type { Element } from "hast";
import { classesOf } from "#src/documents/html/elements.ts";
import { classText, property } from "#src/features/imports/model/website/html/tree.ts";

const prefixed = /(?:^|\s)(?:lang(?:uage)?|highlight(?:-(?:source|text))?)-([\w+#.]+)/i;
const brush = /(?:^|[\s;])brush\s*:\s*([\w+#.-]+)/i;
const fromLabel = ["dataLang", "dataLanguage", "dataCodeLanguage", "dataEcLang", "lang"];

/** Classes of highlighters beside which the name of a language is a class of its own. */
const highlighters: ReadonlySet<string> = new Set([
  "hljs",
  "highlight",
  "sourcecode",
  "syntaxhighlighter",
  "prettyprint",
  "prism",
  "shj",
  "codehilite",
]);

/** Names of languages that occur as classes of their own. */
const languages: ReadonlySet<string> = new Set(
  (
    "bash sh shell zsh console powershell ps1 bat cmd c cpp csharp cs objectivec go golang rust java kotlin scala groovy " +
    "javascript js jsx typescript ts tsx json json5 jsonc html xml css scss sass less vue svelte php python py ruby rb " +
    "perl lua r swift dart elixir erlang haskell clojure sql graphql yaml yml toml ini properties dockerfile docker " +
    "makefile nginx http diff markdown md latex tex plain plaintext text hcl terraform proto protobuf jscript"
  ).split(" "),
);

/** Names that highlighters write for code without a language, or in another way than others. */
const renamed: Readonly<Record<string, string>> = {
  default: "",
  none: "",
  notranslate: "",
  plain: "",
  nohighlight: "",
  auto: "",
  undefined: "",
  jscript: "javascript",
};

/** The name of the language in lower case; empty if the elements, inner ones first, do not name one. */
export function languageOf(elements: readonly Element[]): string {
  for (const element of elements) {
    const found = languageIn(element)?.toLowerCase();
    if (found === undefined) continue;
    const name = (Object.hasOwn(renamed, found) ? renamed[found] : undefined) ?? found;
    if (name !== "") return name;
  }
  return "";
}

function languageIn(element: Element): string | undefined {
  const isCode = element.tagName === "pre" || element.tagName === "code";
  const named = prefixed.exec(classText(element))?.[1];
  if (named !== undefined && named !== "notranslate") return named;
  const params = brush.exec(`${property(element, "dataSyntaxhighlighterParams")} ${classText(element)}`)?.[1];
  if (params !== undefined) return params;
  for (const name of fromLabel) {
    const value = property(element, name);
    if (/^[\w+#.-]{1,30}$/.test(value) && (isCode || name !== "lang")) return value;
  }
  const classes = classesOf(element).map((name) => name.toLowerCase());
  if (!classes.some((name) => highlighters.has(name))) return undefined;
  return classes.find((name) => languages.has(name));
}

/** The language that a label above the code names; empty for other labels. */
export const labelledLanguage = (labels: readonly string[]): string =>
  labels.map((label) => label.toLowerCase()).find((label) => languages.has(label)) ?? "";

/** Whether a text is the label of a language, as sites show it above code. */
export function isLanguageLabel(text: string, language: string): boolean {
  const label = text.trim().toLowerCase();
  return (
    label === language ||
    languages.has(label) ||
    /^(?:c\+\+|c#|f#|objective-c|shell session|terminal|code)$/.test(label)
  );
}
