// Searching: matching pages, their order, and the returned sections.
import { beforeAll, describe, expect, test } from "vitest";
import { type Edit, editAs, newPage } from "#test/features/content/edits.ts";
import { type Client, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
let as: Client;
let spaceId: string;

const setup = newPage("Setting up", {
  description: "From nothing to a running gateway",
  markdown: `Before anything else, get a token.

# Installation

Install the *gateway* with \`npm\`. The [configuration](page:x) is a file.

\`\`\`sh
npm install docgraph --save-exact
\`\`\`

## Naïve Façade

A façade of “curly” words — and dashes. Ünïcode too.

## 設定

東京都の設定ファイルを変更します。
`,
});
const tokens = newPage("Tokens", {
  markdown: "# Revoking\n\nA token that leaked is revoked at once.\n\n# Expiry\n\nEvery token expires after a year.",
});
const empty = newPage("Changelog", { type: "GROUP" });
const pages: Edit[] = [setup.edit, tokens.edit, empty.edit];

beforeAll(async () => {
  const { editor, space } = await world.space();
  as = app.as(editor.token);
  spaceId = space.id;
  await editAs(as, { spaceId }, ...pages);
});

interface Section {
  readonly anchor: string | null;
  readonly title: string;
  readonly path: string;
  readonly body: string;
  readonly bodyMatches: { start: number; end: number }[];
}
interface Hits {
  readonly totalCount: number;
  readonly nodes: { title: string; path: string; sections: Section[] }[];
}

const hits = "totalCount nodes { title path sections { anchor title path body bodyMatches { start end } } }";

async function search(text: string): Promise<Hits> {
  const { space } = await as.query<{ space: { search: Hits } }>(
    `query ($id: ID!, $text: String!) { space(id: $id) { search(text: $text) { ${hits} } } }`,
    { id: spaceId, text },
  );
  return space.search;
}

/** The titles of the found pages. */
const found = async (text: string) => (await search(text)).nodes.map(({ title }) => title);

describe("a search finds pages", () => {
  test.each([
    ["one word in any letter case", "GATEWAY", ["Setting up"]],
    ["words in the title and in the text together", "setting exact", ["Setting up"]],
    ["a word of the description", "nothing", ["Setting up"]],
    ["words of code", "npm install docgraph", ["Setting up"]],
    ["words without their accents", "facade unicode", ["Setting up"]],
    ["words with accents that the text does not have", "gatéway", ["Setting up"]],
    ["the beginning of the last word", "install gate", ["Setting up"]],
    ["only whole words before the last", "inst gateway", []],
    ["characters of scripts without blanks", "設定ファイル", ["Setting up"]],
    ["no characters in another order", "定設", []],
    ["a phrase", '"get a token"', ["Setting up"]],
    ["no words of a phrase in another order", '"token a get"', []],
    ["the absence of an excluded word", "token -revoked", ["Setting up"]],
    ["either word", "revoked or façade", ["Tokens", "Setting up"]],
    ["a title before a text", "token", ["Tokens", "Setting up"]],
    ["pages without a text", "changelog", ["Changelog"]],
    ["a word with one letter wrong", "instalation", ["Setting up"]],
    ["a word with two letters exchanged, among others", "leaked reovked token", ["Tokens"]],
    ["no unknown word", "zebra", []],
    ["no punctuation alone", '!!! --- ""', []],
    ["no excluded words alone", "-token", []],
  ])("by %s", async (_what, text, titles) => {
    const { nodes, totalCount } = await search(text);
    expect(nodes.map(({ title }) => title).toSorted()).toEqual([...titles].toSorted());
    expect(totalCount).toBe(titles.length);
  });

  test("with matches in the title before those in the text", async () => {
    expect(await found("token")).toEqual(["Tokens", "Setting up"]);
  });
});

test("a search returns the best sections with the matched words marked", async () => {
  const { nodes } = await search("facade words");
  expect(nodes).toHaveLength(1);
  const [section] = nodes[0]?.sections ?? [];
  expect(section).toMatchObject({ anchor: "naive-facade", title: "Naïve Façade", path: "setting-up#naive-facade" });
  const { body = "", bodyMatches = [] } = section ?? {};
  expect(bodyMatches.map(({ start, end }) => body.slice(start, end))).toEqual(["façade", "words"]);
  const { nodes: revoked } = await search("token revoked");
  expect(revoked[0]?.sections.map(({ title }) => title)).toEqual(["Revoking", "Expiry"]);
});
