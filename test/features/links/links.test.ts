// Links through the API: targets of pages and their status; backlinks; links that a change request breaks; repairs.
import { describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { type Edit, editAs, newPage, readPages } from "#test/features/content/edits.ts";
import { pngFile, uploadAs } from "#test/features/content/uploads.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { addSpace } from "#test/features/spaces/factory.ts";

const { app, world } = await useApp();

interface Link {
  readonly status: string;
  readonly relation: string;
  readonly address: string;
  readonly isByPath: boolean;
  readonly locationReferences: readonly { readonly page: { readonly path: string } }[];
}

interface Links {
  readonly nodes: readonly Link[];
  readonly totalCount: number;
  readonly stats: {
    readonly total: number;
    readonly broken: { readonly total: number; readonly changeRequest: number };
  };
}

const linkFields = `totalCount stats { total broken { total changeRequest } }
  nodes { status relation address isByPath locationReferences { page { path } } }`;

const linksOf = async (as: Client, spaceId: string, args = ""): Promise<Links> =>
  (await as.query<{ space: { links: Links } }>(`{ space(id: "${spaceId}") { links${args} { ${linkFields} } } }`)).space
    .links;

/** Links as lines: status, relation, address. */
const lines = ({ nodes }: Links) => nodes.map(({ status, relation, address }) => `${status} ${relation} ${address}`);

async function start() {
  const { editor, admin, space, ...rest } = await world.space();
  const as = app.as(editor.token);
  const write = (...edits: Edit[]) => editAs(as, { spaceId: space.id }, ...edits);
  return { ...rest, admin, editor, space, as, write };
}

describe("links of a content", () => {
  test("are found in all forms of Markdown in texts, but not in code", async () => {
    const { space, as, write } = await start();
    const markdown = [
      '[inline](https://a.example.com/x "Title") ![](https://b.example.com/p.png) <https://c.example.com>',
      "[spaces](<https://d.example.com/a b>) [![](https://e.example.com/i.png)](https://f.example.com/(in)side)",
      "see https://g.example.com/path. and [ref][r] \\[no](https://no.example.com) `[no](https://no.example.com)`",
      "",
      "```",
      "[no](https://no.example.com)",
      "```",
      "",
      '<a class="x" href="https://h.example.com">h</a> <img src=\'https://i.example.com/i.png\'>',
      "",
      "[r]: https://j.example.com 'Title'",
      "[^1]: a footnote with https://k.example.com",
    ].join("\n");
    await write(newPage("Forms", { markdown }).edit);
    expect(lines(await linksOf(as, space.id))).toEqual([
      "OK REFERENCE https://a.example.com/x",
      "OK IMAGE https://b.example.com/p.png",
      "OK REFERENCE https://c.example.com",
      "OK REFERENCE https://d.example.com/a b",
      "OK IMAGE https://e.example.com/i.png",
      "OK REFERENCE https://f.example.com/(in)side",
      "OK REFERENCE https://g.example.com/path",
      "OK REFERENCE https://h.example.com",
      "OK IMAGE https://i.example.com/i.png",
      "OK REFERENCE https://j.example.com",
      "OK REFERENCE https://k.example.com",
    ]);
  });

  test("are BROKEN if the page, anchor, file, user, collection or reusable content does not exist", async () => {
    const { space, as, write, editor } = await start();
    const { file } = await uploadAs(as, { spaceId: space.id, file: pngFile("a.png", { width: 1, height: 1 }) });
    const target = newPage("Target", { markdown: "# First part\n\ntext\n\n## First part\n" });
    const gone = { page: newId("Page"), file: newId("File"), reusable: newId("ReusableContent") };
    const there = [
      `page:${target.pageId}`,
      `page:${target.pageId}#first-part-2`,
      `file:${file.id}`,
      `user:${editor.id}`,
      `space:${space.id}`,
    ];
    const away = [
      `page:${gone.page}`,
      `page:${target.pageId}#second-part`,
      "#own-missing",
      `file:${gone.file}`,
      "page:nonsense",
      `user:${newId("User")}`,
      `collection:${newId("Collection")}`,
      "openapi:pets",
    ];
    const own = newPage("Own", {
      markdown: `# Own\n\n[own](#own) ${[...there, ...away].map((address) => `[x](${address})`).join(" ")} {{ reusable:${gone.reusable} }}`,
      cover: { fileId: file.id },
    });
    await write(target.edit, own.edit);
    const links = await linksOf(as, space.id);
    expect(lines(links)).toEqual([
      `OK IMAGE file:${file.id}`,
      "OK REFERENCE #own",
      ...there.map((address) => `OK REFERENCE ${address}`),
      ...away.map((address) => `BROKEN REFERENCE ${address}`),
      `BROKEN EMBED reusable:${gone.reusable}`,
    ]);
    expect(links.stats).toEqual({ total: 16, broken: { total: 9, changeRequest: 0 } });
    expect((await linksOf(as, space.id, "(status: BROKEN, first: 2)")).totalCount).toBe(9);
  });

  test("have the values of variables, and include those of reusable contents", async () => {
    const { space, as, write } = await start();
    const target = newPage("Target");
    const shared = newId("ReusableContent");
    const page = newPage("Page", {
      markdown: `[a]({{ docs }}/a) [b]({{ unknown }}) {{ reusable:${shared} }}`,
      variables: [{ name: "docs", value: "https://own.example.com" }],
    });
    await write(
      {
        setVariables: {
          variables: [
            { name: "docs", value: "https://example.com" },
            { name: "target", value: `page:${target.pageId}` },
          ],
        },
      },
      { createReusableContent: { reusableContentId: shared, title: "Shared", markdown: "[t]({{ target }})" } },
      target.edit,
      page.edit,
    );
    expect(lines(await linksOf(as, space.id))).toEqual([
      "OK REFERENCE https://own.example.com/a",
      "OK REFERENCE {{ unknown }}",
      `OK EMBED reusable:${shared}`,
      `OK REFERENCE page:${target.pageId}`,
    ]);
  });

  test("resolve addresses of the gateway in-app", async () => {
    const { space, as, write } = await start();
    const { space: read } = await as.query<{ space: { urls: { app: string } } }>(
      `{ space(id: "${space.id}") { urls { app } } }`,
    );
    await write(newPage("Page", { markdown: `[here](${read.urls.app})` }).edit);
    expect(lines(await linksOf(as, space.id, "(status: IN_APP)"))).toEqual([`IN_APP REFERENCE ${read.urls.app}`]);
  });

  test("into another space are OK if everyone who sees the page may see the target", async () => {
    const { admin, space, as, write } = await start();
    const adminAs = app.as(admin.token);
    const pageIn = async (of: Record<string, unknown>) => {
      const other = await world.insert((rows) => addSpace(rows, { organizationId: space.organizationId, ...of }));
      const page = newPage("Other", { markdown: "# There" });
      await editAs(adminAs, { spaceId: other.id }, page.edit);
      return `page:${other.id}/${page.pageId}`;
    };
    const [open, closed, gone] = [
      await pageIn({ visibility: "public" }),
      await pageIn({ visibility: "private", openToMembers: false }),
      `page:${newId("Space")}/${newId("Page")}`,
    ];
    const text = [open, `${open}#there`, `${open}#nowhere`, closed, gone].map((address) => `[x](${address})`).join(" ");
    await write(newPage("Page", { markdown: text }).edit);
    const expected = ["OK", "OK", "BROKEN", "BROKEN", "BROKEN"];
    expect((await linksOf(as, space.id)).nodes.map(({ status }) => status)).toEqual(expected);
    expect((await linksOf(adminAs, space.id)).nodes.map(({ status }) => status)).toEqual(expected);
  });
});

describe("backlinks", () => {
  test("list the pages that link to a page or a file, also from other spaces", async () => {
    const { admin, space, as, write } = await start();
    const { file } = await uploadAs(as, { spaceId: space.id, file: pngFile("a.png", { width: 1, height: 1 }) });
    const target = newPage("Target", { markdown: `![](file:${file.id})` });
    const one = newPage("One", { markdown: `[t](page:${target.pageId}#x) [p](target)`, cover: { fileId: file.id } });
    await write(target.edit, one.edit, newPage("Two", { markdown: "[no](https://example.com)" }).edit);
    const other = await world.insert((rows) => addSpace(rows, { organizationId: space.organizationId }));
    await editAs(
      app.as(admin.token),
      { spaceId: other.id },
      newPage("Outside", { markdown: `[t](page:${space.id}/${target.pageId}#y)` }).edit,
    );
    const { space: read } = await as.query<{ space: { content: { page: unknown; file: unknown } } }>(
      `{ space(id: "${space.id}") { content {
        page(by: {id: "${target.pageId}"}) { backlinks { totalCount nodes { kind spaceId page { path } } } }
        file(id: "${file.id}") { backlinks { nodes { page { path } } } } } } }`,
    );
    expect(read.content).toEqual({
      page: {
        backlinks: {
          totalCount: 2,
          nodes: [
            { kind: "PAGE", spaceId: space.id, page: { path: "one" } },
            { kind: "PAGE", spaceId: other.id, page: { path: "outside" } },
          ],
        },
      },
      file: { backlinks: { nodes: [{ page: { path: "target" } }, { page: { path: "one" } }] } },
    });
  });
});

describe("links that a change request breaks", () => {
  async function breaking() {
    const { reviewer, space, changeRequest } = await world.changeRequest();
    const as = app.as(reviewer.token);
    const target = newPage("Target", { markdown: "# Here" });
    const source = newPage("Source", { markdown: `[t](page:${target.pageId}) [broken before](page:${newId("Page")})` });
    await editAs(as, { spaceId: space.id }, target.edit, source.edit);
    await as.query(
      `mutation { updateChangeRequestFromMain: pullChangeRequestUpdates(input: {changeRequestId: "${changeRequest.id}"}) { changeRequest { id } } }`,
    );
    await editAs(as, { changeRequestId: changeRequest.id }, { deletePage: { pageId: target.pageId } });
    return { space, changeRequest, as, target, source };
  }

  test("are listed without those that were broken before", async () => {
    const { changeRequest, as, target, source } = await breaking();
    const { changeRequest: read } = await as.query<{
      changeRequest: { brokenLinks: Links; content: { page: { links: Links } } };
    }>(
      `{ changeRequest(id: "${changeRequest.id}") { brokenLinks { ${linkFields} } content { page(by: {id: "${source.pageId}"}) { links { ${linkFields} } } } } }`,
    );
    expect(lines(read.brokenLinks)).toEqual([`BROKEN REFERENCE page:${target.pageId}`]);
    expect(read.brokenLinks.nodes[0]?.locationReferences).toEqual([{ page: { path: "source" } }]);
    expect(read.content.page.links.stats).toEqual({ total: 2, broken: { total: 2, changeRequest: 1 } });
  });

  test("refuse the merge with refuseBrokenLinks, which changes nothing", async () => {
    const { space, changeRequest, as, target } = await breaking();
    const merge = (more: string) =>
      as.graphql(
        `mutation { mergeChangeRequest(input: {changeRequestId: "${changeRequest.id}"${more}}) { changeRequest { status } } }`,
      );
    const before = await as.query(`{ space(id: "${space.id}") { revisionId } }`);
    const { errors } = await merge(", refuseBrokenLinks: true");
    expect(errors).toMatchObject([
      {
        extensions: {
          code: "CONFLICT",
          details: [{ path: "source", message: `The target of the link page:${target.pageId} would not exist.` }],
        },
      },
    ]);
    expect(await as.query(`{ space(id: "${space.id}") { revisionId } }`)).toEqual(before);
    expect((await merge("")).data).toEqual({ mergeChangeRequest: { changeRequest: { status: "MERGED" } } });
  });
});

describe("links by path", () => {
  test("resolve to the pages at their paths, and are repaired in one revision", async () => {
    const { space, as, write } = await start();
    const guide = newPage("Guide");
    const faq = newPage("Faq", { markdown: "# Answers", parentId: guide.pageId });
    const more = newPage("More", {
      markdown:
        "[a](faq.md#answers) [b](../guide/README.md) [c](/guide/faq) [d](gone.md) `[e](faq.md)`\n\n[r]: ./faq\n",
      parentId: guide.pageId,
    });
    await write(guide.edit, faq.edit, more.edit);
    const before = await linksOf(as, space.id);
    expect(lines(before)).toEqual([
      "OK REFERENCE faq.md#answers",
      "OK REFERENCE ../guide/README.md",
      "OK REFERENCE /guide/faq",
      "BROKEN REFERENCE gone.md",
      "OK REFERENCE ./faq",
    ]);
    expect(before.nodes.every(({ isByPath }) => isByPath)).toBe(true);
    const { repairLinks } = await as.query<{
      repairLinks: { revision: { id: string }; repairedLinkCount: number; pageCount: number };
    }>(
      `mutation { repairLinks(input: {contentOf: {spaceId: "${space.id}"}}) { revision { id } repairedLinkCount pageCount } }`,
    );
    expect(repairLinks).toMatchObject({ repairedLinkCount: 4, pageCount: 1 });
    const [root] = await readPages(as, repairLinks.revision.id);
    expect(root?.pages[1]?.markdown).toBe(
      `[a](page:${faq.pageId}#answers) [b](page:${guide.pageId}) [c](page:${faq.pageId}) [d](gone.md) \`[e](faq.md)\`\n\n[r]: page:${faq.pageId}\n`,
    );
    await write({ updatePage: { pageId: faq.pageId, slug: "questions" } });
    expect((await linksOf(as, space.id, "(status: BROKEN)")).totalCount).toBe(1);
  });
});

describe("links in /v1", () => {
  test("are listed with their counts, and so are backlinks", async () => {
    const { space, as, write } = await start();
    const target = newPage("Target", { markdown: `[x](page:${newId("Page")})` });
    await write(target.edit, newPage("One", { markdown: `[t](page:${target.pageId})` }).edit);
    const { body } = await as.rest<{ items: unknown[]; stats: unknown }>(
      "GET",
      `/v1/spaces/${space.id}/links?status=ok`,
    );
    expect(body).toMatchObject({
      items: [
        {
          status: "ok",
          relation: "reference",
          targetReference: {
            kind: "page",
            organization: space.organizationId,
            space: space.id,
            versionContext: { type: "revision" },
            page: target.pageId,
          },
        },
      ],
      count: 1,
      stats: { total: 2, broken: { total: 1, changeRequest: 0 } },
    });
    const ofPage = await as.rest("GET", `/v1/spaces/${space.id}/content/page/${target.pageId}/links`);
    expect(ofPage.body).toMatchObject({ items: [{ status: "broken", locationReferences: [{ page: target.pageId }] }] });
  });
});
