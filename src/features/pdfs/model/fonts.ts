// The fonts of PDFs. pdfmake has no fallback for characters that a font lacks, so texts are split into runs first.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create } from "fontkit";

export type Font = "Sans" | "Mono" | "Japanese" | "Thai";

const require = createRequire(import.meta.url);

const japanese = require.resolve("@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf");
const japaneseBold = require.resolve("@expo-google-fonts/noto-sans-jp/700Bold/NotoSansJP_700Bold.ttf");
const thai = require.resolve("@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf");
const thaiBold = require.resolve("@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf");
const mono = require.resolve("@expo-google-fonts/noto-sans-mono/400Regular/NotoSansMono_400Regular.ttf");
const monoBold = require.resolve("@expo-google-fonts/noto-sans-mono/700Bold/NotoSansMono_700Bold.ttf");

/** The files of the fonts; fonts without italics stay upright. */
export const fontFiles = {
  Sans: {
    normal: require.resolve("@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf"),
    bold: require.resolve("@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf"),
    italics: require.resolve("@expo-google-fonts/noto-sans/400Regular_Italic/NotoSans_400Regular_Italic.ttf"),
    bolditalics: require.resolve("@expo-google-fonts/noto-sans/700Bold_Italic/NotoSans_700Bold_Italic.ttf"),
  },
  Mono: { normal: mono, bold: monoBold, italics: mono, bolditalics: monoBold },
  Japanese: { normal: japanese, bold: japaneseBold, italics: japanese, bolditalics: japaneseBold },
  Thai: { normal: thai, bold: thaiBold, italics: thai, bolditalics: thaiBold },
} as const;

export const isFontFile = (path: string): boolean =>
  Object.values(fontFiles).some((family) => Object.values(family).some((file) => file === path));

const known = new Map<Font, ReadonlySet<number>>();

function charactersOf(font: Font): ReadonlySet<number> {
  let characters = known.get(font);
  if (!characters) known.set(font, (characters = new Set(create(readFileSync(fontFiles[font].normal)).characterSet)));
  return characters;
}

const orders: Readonly<Record<"Sans" | "Mono", readonly Font[]>> = {
  Sans: ["Sans", "Japanese", "Mono", "Thai"],
  Mono: ["Mono", "Japanese", "Sans", "Thai"],
};

/** Replacements with the same meaning for characters missing from all fonts. */
const lookalikes: Readonly<Record<string, string>> = {
  "✅": "✓",
  "✔": "✓",
  "☑": "✓",
  "❌": "×",
  "✖": "×",
  "✗": "×",
  "✘": "×",
  "☐": "□",
  "➡": "→",
  "⬅": "←",
  "⬆": "↑",
  "⬇": "↓",
  "⭐": "★",
  "🟢": "●",
  "🔴": "●",
};

/** Shown for each character missing from all fonts. */
const unknown = "\ufffd";

/** Joiners, variation selectors, skin tones and control characters. */
const unseen = /\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}|[^\P{Cc}\n\t]/gu;

/** A pictograph that is joined to another one, with its joiner. */
const joinedTo = /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]{0,2})\u200d\p{Extended_Pictographic}/gu;

/** Scripts that no font has. pdfmake also sets all lines from left to right. */
const missingScripts = [
  ["Arabic", /\p{Script=Arabic}/u],
  ["Hebrew", /\p{Script=Hebrew}/u],
  ["Korean", /\p{Script=Hangul}/u],
  ["Lao", /\p{Script=Lao}/u],
  ["Khmer", /\p{Script=Khmer}/u],
  ["Burmese", /\p{Script=Myanmar}/u],
  ["Bengali", /\p{Script=Bengali}/u],
  ["Tamil", /\p{Script=Tamil}/u],
  ["Telugu", /\p{Script=Telugu}/u],
  ["Georgian", /\p{Script=Georgian}/u],
  ["Armenian", /\p{Script=Armenian}/u],
] as const;

/** The scripts in texts that are printed as U+FFFD. */
export const scriptsWithoutFont = (texts: readonly string[]): string[] =>
  missingScripts.flatMap(([name, letters]) => (texts.some((text) => letters.test(text)) ? [name] : []));

export interface FontRun {
  readonly text: string;
  readonly font: Font;
}

/** Text that every font but the Japanese one has: the fast path. */
const plain = /^[\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u017e\u2013\u2014\u2018-\u201e\u2026]*$/;

/** Breaks in words far longer than a line, which pdfmake would otherwise lay out letter by letter. */
const endless = /[^\s\u200b\u2e80-\u{3ffff}]{300}(?=\S)/gu;

const thaiLetters = /[\u0e01-\u0e3a\u0e40-\u0e4e]{2,}/g;
const thaiWords = new Intl.Segmenter("th", { granularity: "word" });

/** Thai is written without blanks: lines break between its words. */
const withThaiBreaks = (text: string): string =>
  text.replaceAll(thaiLetters, (run) => Array.from(thaiWords.segment(run), ({ segment }) => segment).join("\u200b"));

/** A text in runs, each in a font that has its characters. Characters without a font become lookalikes or U+FFFD. */
export function fontRuns(text: string, wished: "Sans" | "Mono"): FontRun[] {
  const clean = text
    .replaceAll("\t", "    ")
    .replaceAll(joinedTo, "")
    .replaceAll(unseen, "")
    .replaceAll(endless, "$&\u200b");
  if (clean === "") return [];
  if (plain.test(clean)) return [{ text: clean, font: wished }];
  const runs: { text: string; font: Font }[] = [];
  for (const character of withThaiBreaks(clean)) {
    const last = runs.at(-1);
    const { shown, font } = shownAs(character, wished, last?.font);
    if (last?.font === font) last.text += shown;
    else if (shown !== "") runs.push({ text: shown, font });
  }
  return runs;
}

/** A character with its font; empty for a combining mark missing from all fonts. */
function shownAs(character: string, wished: "Sans" | "Mono", before: Font | undefined): { shown: string; font: Font } {
  const isMark = /[\p{M}\n]/u.test(character);
  for (const shown of [character, lookalikes[character]]) {
    if (shown === undefined) continue;
    const code = shown.codePointAt(0) ?? 0;
    const order = isMark && before ? [before, ...orders[wished]] : orders[wished];
    const font = code === 10 ? (before ?? wished) : order.find((one) => charactersOf(one).has(code));
    if (font) return { shown, font };
  }
  return { shown: isMark ? "" : unknown, font: wished };
}
