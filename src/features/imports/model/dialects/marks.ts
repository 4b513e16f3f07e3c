// Marks of other tools that Markdown does not have: tables of contents, attributes, scripts and styles of Vue, the
// asides of Notion, and the comments of Obsidian.
import type { DialectRule, Edit } from "#src/features/imports/model/dialects/edits.ts";

type Mark = { readonly pattern: RegExp; readonly text: (match: RegExpMatchArray) => string; readonly warning?: string };

const leftOut = "is left out";

const patterns: readonly Mark[] = [
  // Docusaurus, VitePress, Python-Markdown, GitLab, Jekyll and Wiki.js
  {
    pattern:
      /^[ \t]*(?:\[\[(?:toc|_toc_)\]\]|\[toc\]|\{:toc\}|(?:[*-] [^\n]{0,50}\n)\{:\s*toc[^}\n]{0,50}\})[ \t]*$/gim,
    text: () => "",
    warning: `The table of contents of the page ${leftOut}: every page shows its own.`,
  },
  // attributes of kramdown and Python-Markdown, but for ids, which name headings
  { pattern: /^[ \t]*\{:(?![^}\n]*#)[^}\n]{0,200}\}[ \t]*\n/gm, text: () => "" },
  { pattern: /(?<=[)`*_])\{(?::|[ \t]*(?=[.\w-]+[ \t=}]))(?![{%#])(?=[^}\n]*[=.:])[^}\n#]{0,200}\}/g, text: () => "" },
  {
    pattern: /^<(script|style)\b[^>\n]{0,200}>[^]{0,50000}?^<\/\1>[ \t]*\n?/gm,
    text: () => "",
    warning: `The script or style ${leftOut}.`,
  },
  {
    pattern: /^<aside>\n([^]{0,20000}?)\n<\/aside>[ \t]*$/gm,
    text: ([, inner = ""]) =>
      `{% hint style="info" %}\n${inner.replace(/^\p{Extended_Pictographic}\ufe0f?\s*/u, "").trim()}\n{% endhint %}`,
  },
  // comments of Obsidian, which hide text
  {
    pattern: /^%%[ \t]*\n[^]{0,20000}?\n%%[ \t]*(?:\n|$)|(?<![\w%])%%(?!%)[^\n%]{1,2000}?%%(?![\w%])/gm,
    text: () => "",
    warning: `A comment ${leftOut}: readers do not see it.`,
  },
  { pattern: /\$withBase\(\s*["']([^"']{1,500})["']\s*\)/g, text: ([, path = ""]) => path },
];

export const marks: DialectRule = {
  sign: /\[(?:toc|\[)|\{:|[)`*_]\{|^<(?:script|style|aside)|\$withBase|%%/im,
  edits(text, isCode) {
    return patterns.flatMap(({ pattern, text: written, warning }) =>
      Array.from(text.matchAll(pattern), (match): Edit | null => {
        if (isCode(match.index)) return null;
        const span = { start: match.index, end: match.index + match[0].length };
        return { ...span, text: written(match), warning: warning ?? null };
      }).filter((edit) => edit !== null),
    );
  },
};
