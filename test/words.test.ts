// Words that the writing guide rules out: each has a standard word that a reader understands at first sight.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What is searched for, and the words to write instead. */
const ruledOut: readonly (readonly [RegExp, string])[] = [
  [/\btold\b/i, "notified, delivered or reported"],
  [/\btells of\b/i, "describes or reports"],
  [/\bstands\b/i, "is, means or represents"],
  [/\banew\b/i, "again"],
  [/\bwhoever\b/i, "the user who"],
  [/\bin hand\b/i, "claimed or open"],
  [/\b(is|are) none\b/i, "does not exist, or is not a valid ..."],
  [/\bthere (is|are|was|were) (no|none)\b/i, "no ... exists, or ... does not exist"],
  [/\b(is|are) no (?!longer\b)[a-z]/i, "is not a ..."],
  [/\b(is|are) gone\b/i, "was deleted, has ended or has closed"],
  [/\bany more\b/i, "no longer"],
];

/** Generated code, contents of the demo and texts of others, the writing guide itself, and this list. */
const excluded = [
  /^src\/generated\//,
  /^src\/demo\/(stories|tables)\//,
  /^src\/demo\/history\.json$/,
  /^src\/rest\/description\/examples\.json$/,
  /^src\/features\/templates\/texts\//,
  /^src\/docs\/writing\.md$/,
  /^test\/bench\/rivals\//,
  /^test\/words\.test\.ts$/,
];

function filesUnder(folder: string, kind: RegExp): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path}`)
    .filter((path) => kind.test(path) && !excluded.some((each) => each.test(path)));
}

/** The matches in one line or title, each with its place and the words to write instead. */
function matchesIn(place: string, text: string): string[] {
  return ruledOut.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`${place}: "${found}" -> ${instead}`];
  });
}

/** All patterns in one: most files match none, so that their lines need not be read one by one. */
const any = new RegExp(ruledOut.map(([pattern]) => pattern.source).join("|"), "i");

function inLines(path: string): string[] {
  const text = readFileSync(`${root}${path}`, "utf8");
  if (!any.test(text)) return [];
  return text.split("\n").flatMap((line, index) => matchesIn(`${path}:${index + 1}`, line));
}

/** The first argument of each call of `test`, `it` and `describe`, if it is a text. */
const title = /\b(?:test|it|describe)(?:\.\w+)*(?:\([^()"'`]*\))?\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)/g;

function inTitles(path: string): string[] {
  const text = readFileSync(`${root}${path}`, "utf8");
  return [...text.matchAll(title)].flatMap((match) => {
    if (!any.test(match[1] ?? "")) return [];
    const line = text.slice(0, match.index).split("\n").length;
    return matchesIn(`${path}:${line}`, match[1] ?? "");
  });
}

test("code, messages and descriptions contain no ruled-out words", () => {
  const files = filesUnder("src", /\.(ts|js|json|css|txt|env|cfg|ini|conf|prisma)$|Containerfile$/);
  expect([...files, "schema.graphql"].flatMap(inLines)).toEqual([]);
});

test("titles of tests contain no ruled-out words", () => {
  expect(filesUnder("test", /\.test\.tsx?$/).flatMap(inTitles)).toEqual([]);
});

test("the documentation contains no ruled-out words", () => {
  const pages = filesUnder("src", /^src\/docs\/.+\.md$/);
  expect(["README.md", ...pages].flatMap(inLines)).toEqual([]);
});
