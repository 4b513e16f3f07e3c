// Parts of texts as HTML: sections of pages, changed lines, comments and replies; none can run a script.
import { expect, it, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const { admin, space } = await world.space();
const as = app.as(admin.token);
const spaceId = space.id;

interface Section {
  readonly anchor: string;
  readonly title: string;
  readonly level: number;
  readonly html: string;
}

const sectionDocument = `query ($id: ID!, $path: String!, $anchor: String!, $linkBase: String) {
  space(id: $id) { content { page(by: { path: $path }) {
    section(anchor: $anchor, linkBase: $linkBase) { anchor title level html }
  } } }
}`;

async function sectionOf(path: string, anchor: string, linkBase: string | null = null): Promise<Section | null> {
  const { space: read } = await as.query<{ space: { content: { page: { section: Section | null } } } }>(
    sectionDocument,
    { id: spaceId, path, anchor, linkBase },
  );
  return read.content.page.section;
}

const titles = (html: string | undefined) => [...(html ?? "").matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id);

test("a section reaches to the next heading of its level or above, within the block of its heading", async () => {
  const markdown = [
    "before\n\n# One\n\nfirst {{ word }}[^n] [guide](guide.md#two)\n\n### Deep\n\ndeep\n\n## Why isn't it?\n\nwhy",
    '# dispatch(action)\n\n> [!NOTE]\n> ## Inside\n> inside\n\nafter\n\n## Own {#mine}\n\n<a id="old"></a>\n\n## Last\n\nlast\n\n[^n]: note',
  ].join("\n\n");
  const page = newPage("Guide", { markdown });
  await editAs(as, { spaceId }, page.edit, { setVariables: { variables: [{ name: "word", value: "value" }] } });
  const rows: readonly [name: string, anchor: string, ids: readonly string[], text: string][] = [
    ["one", "one", ["one", "deep", "why-isn-t-it"], "first value"],
    ["ONE", "one", ["one", "deep", "why-isn-t-it"], "deep"],
    ["deep", "deep", ["deep"], "<p>deep</p>"],
    ["why-isnt-it", "why-isn-t-it", ["why-isn-t-it"], "<p>why</p>"],
    ["dispatchaction", "dispatch-action", ["dispatch-action", "inside", "mine", "last"], "<p>after</p>"],
    ["inside", "inside", ["inside"], "<p>inside</p>"],
    ["mine", "mine", ["mine"], "Own"],
    ["old", "last", ["last"], "<p>last</p>"],
    ["user-content-last", "last", ["last"], "<p>last</p>"],
  ];
  for (const [name, anchor, ids, text] of rows) {
    const section = await sectionOf("guide", name);
    expect([name, section?.anchor, titles(section?.html)]).toEqual([name, anchor, ids]);
    expect(section?.html).toContain(text);
    expect(section?.html).toMatch(/^<h\d/);
    expect(section?.html).not.toContain("data-footnotes");
  }
  expect(await sectionOf("guide", "one", "/docs")).toMatchObject({
    level: 1,
    title: "One",
    html: expect.stringContaining('<a href="/docs/guide#two">guide</a>') as string,
  });
  for (const name of ["", "missing", "before", "footnote-label", "x".repeat(10_000)])
    expect([name, await sectionOf("guide", name)]).toEqual([name, null]);
});

const hunksDocument = `query ($id: ID!) { space(id: $id) { content {
  changes { pages { nodes { pageId text { hunks(contextLines: 0) { beforeHtml afterHtml } } } } reusableContents { text { hunks { beforeHtml afterHtml } } } }
} } }`;

interface Hunks {
  readonly hunks: readonly { readonly beforeHtml: string | null; readonly afterHtml: string | null }[];
}

async function changedHunks(): Promise<{ pages: Hunks[]; reusable: Hunks[] }> {
  interface Changes {
    readonly pages: { readonly nodes: readonly { readonly text: Hunks }[] };
    readonly reusableContents: readonly { readonly text: Hunks }[];
  }
  const data = await as.query<{ space: { content: { changes: Changes } } }>(hunksDocument, { id: spaceId });
  const { pages, reusableContents } = data.space.content.changes;
  return { pages: pages.nodes.map(({ text }) => text), reusable: reusableContents.map(({ text }) => text) };
}

it("shows the changed lines of both sides as HTML, with links of their own revision", async () => {
  const target = newPage("Target", { markdown: "x" });
  const page = newPage("Changed", { markdown: "*same*\n\nold [target](target.md)\n\nend\n" });
  await editAs(as, { spaceId }, target.edit, page.edit);
  const markdown = "*same*\n\n**new** [gone](target.md) {{ word }}\n\nend\n\nadded\n";
  await editAs(
    as,
    { spaceId },
    { updatePage: { pageId: page.pageId, markdown } },
    { deletePage: { pageId: target.pageId } },
    { createReusableContent: { title: "Part", markdown: "[changed](/changed)" } },
  );
  const { pages, reusable } = await changedHunks();
  const to = (pageId: string) => `${app.url}/app/spaces/${spaceId}/pages/${pageId}`;
  expect(pages).toContainEqual({
    hunks: [
      {
        beforeHtml: `<p>old <a href="${to(target.pageId)}">target</a></p>`,
        afterHtml: "<p><strong>new</strong> <a>gone</a> {{ word }}</p>",
      },
      { beforeHtml: null, afterHtml: "<p>added</p>" },
    ],
  });
  expect(reusable).toEqual([
    { hunks: [{ beforeHtml: null, afterHtml: `<p><a href="${to(page.pageId)}">changed</a></p>` }] },
  ]);
});

const hostile = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt&colon;alert(1))",
  "![a](data:text/html;base64,PHNjcmlwdD4=)",
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="vbscript:x" style="position:fixed" id="search" onclick="x">a</a>',
  "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  '<form action="https://example.com/"><input name="password"><button formaction="javascript:x">b</button></form>',
  "<base href='https://example.com/'><meta http-equiv=refresh content='0;url=javascript:x'>",
  '<details ontoggle="alert(1)" open><summary>s</summary></details>',
  "`<script>` <!--><img src=x onerror=alert(1)>-->",
  "{% hint style='\"><script>alert(1)</script>' %}x{% endhint %}",
];

/** What a browser would run, load as a document, or style. */
const dangerous =
  /<(?:script|style|iframe|object|embed|base|meta|form|svg|link)\b|<[^>]*\s(?:on\w+|style|srcdoc|formaction|action)\s*=|(?:href|src)="?\s*(?:javascript|vbscript|data):/i;

interface Shown {
  readonly body: { readonly html: string };
}

test("hostile texts stay harmless as sections, changed lines, comments and replies", async () => {
  const page = newPage("Hostile", { markdown: hostile.map((text, index) => `## At ${index}\n\n${text}\n`).join("\n") });
  await editAs(as, { spaceId }, page.edit);
  const sections = hostile.map(async (_, index) => (await sectionOf("hostile", `at-${index}`))?.html ?? "missing");
  const { pages } = await changedHunks();
  const lines = pages.flatMap(({ hunks }) => hunks.map(({ afterHtml }) => afterHtml ?? "missing"));
  const comments = hostile.map(async (markdown) => {
    const at = `/v1/spaces/${spaceId}/comments`;
    const { body } = await as.rest<{ id: string }>("POST", at, { body: { body: { markdown } } });
    await as.rest("POST", `${at}/${body.id}/replies`, { body: { body: { markdown } } });
    const read = "query ($id: ID!) { comment(id: $id) { body { html } replies { nodes { body { html } } } } }";
    const { comment } = await as.query<{ comment: Shown & { replies: { nodes: Shown[] } } }>(read, { id: body.id });
    return [comment, ...comment.replies.nodes].map((one) => one.body.html);
  });
  const shown = [...lines, ...(await Promise.all(sections)), ...(await Promise.all(comments)).flat()];
  expect(shown).toHaveLength(hostile.length * 3 + 1);
  for (const html of shown) expect(html).not.toMatch(dangerous);
  expect(shown).not.toContain("missing");
});
