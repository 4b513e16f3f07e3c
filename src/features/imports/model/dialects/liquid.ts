// Liquid of Jekyll in a text: addresses, code and comments. Tags of GitBook, which look the same, stay.
import type { DialectRule, Edit } from "#src/features/imports/model/dialects/edits.ts";
import { shorten } from "#src/features/imports/model/warnings.ts";

const pieces: readonly {
  readonly pattern: RegExp;
  readonly text: (match: RegExpMatchArray) => string;
  readonly warning?: (match: RegExpMatchArray) => string;
}[] = [
  { pattern: /\{%-?\s*link\s+([^%{}]{1,500}?)\s*-?%\}/g, text: ([, path = ""]) => `/${path.replace(/^\//, "")}` },
  { pattern: /\{%-?\s*post_url\s+([^%{}]{1,500}?)\s*-?%\}/g, text: ([, path = ""]) => `/_posts/${path}` },
  {
    pattern: /\{\{-?\s*["']([^"'{}]{0,500})["']\s*\|\s*(?:relative_url|absolute_url|prepend:[^{}]{0,100})\s*-?\}\}/g,
    text: ([, path = ""]) => path,
  },
  { pattern: /\{\{-?\s*(?:site|page)\.(?:baseurl|url|base_url|github\.url)\s*-?\}\}/g, text: () => "" },
  { pattern: /\{%-?\s*highlight\s+([\w+#-]+)[^%{}]{0,200}-?%\}/g, text: ([, language = ""]) => `\`\`\`${language}` },
  { pattern: /\{%-?\s*endhighlight\s*-?%\}/g, text: () => "```" },
  { pattern: /\{%-?\s*(?:end)?raw\s*-?%\}[ \t]*\n?/g, text: () => "" },
  { pattern: /\{%-?\s*comment\s*-?%\}[^]*?\{%-?\s*endcomment\s*-?%\}[ \t]*\n?/g, text: () => "" },
  {
    pattern: /\{%-?\s*include(?:_relative|_cached)?\s+(?!["'])([^%{}]{1,500}?)\s*-?%\}/g,
    text: () => "",
    warning: ([, name = ""]) => `The include ${shorten(name)} is left out.`,
  },
];

export const liquid: DialectRule = {
  sign: /\{%-?\s*(?:link|post_url|highlight|raw|comment|include)\b|\{\{-?\s*(?:(?:site|page)\.|["'])/,
  edits(text, isCode) {
    return pieces.flatMap(({ pattern, text: written, warning }) =>
      Array.from(text.matchAll(pattern), (match): Edit | null => {
        if (isCode(match.index)) return null;
        const span = { start: match.index, end: match.index + match[0].length };
        return { ...span, text: written(match), warning: warning?.(match) ?? null };
      }).filter((edit) => edit !== null),
    );
  },
};
