// Importing archives through the API: pages and files, repeated imports, permissions, and refusals that change nothing.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { keepFiles } from "#src/features/imports/commands/kept-files.ts";
import { openUploadedZip } from "#src/features/imports/commands/zip.ts";
import { importLimits } from "#src/features/imports/model/files.ts";
import { ImportWarnings } from "#src/features/imports/model/warnings.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { pngFile, uploadAs, uploadOf } from "#test/features/content/uploads.ts";
import { type Files, zip, zipFile } from "#test/features/imports/files.ts";
import { contentOf, importAs, importDocument, png, warningCountsOf } from "#test/features/imports/importing.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

/** A space with the page `old`, and the editor's client. */
async function withPage() {
  const { editor, space, ...rest } = await world.space();
  const as = app.as(editor.token);
  const old = newPage("Old", { markdown: "Old text" });
  const revisionId = await editAs(as, { spaceId: space.id }, old.edit);
  return { ...rest, editor, space, as, old, revisionId };
}

describe("an import of an archive", () => {
  test("is one revision of its own type, with pages, files and links between them, and emits its events", async () => {
    const { editor, space, as, revisionId } = await withPage();
    const imported = await importAs(
      as,
      {
        "docs-main/README.md":
          "---\ncover: img/logo.png\ncoverY: 5\n---\n# Welcome\n![Logo](img/logo.png) [all](guide/)\n",
        "docs-main/guide/README.md": '[up](../README.md#top) [gone](gone.md)\n\n<img src="../img/logo.png">\n',
        "docs-main/guide/more.md": "[data](/data.csv) ![same](../copy/logo.png)",
        "docs-main/img/logo.png": await png(3),
        "docs-main/copy/logo.png": await png(3),
        "docs-main/data.csv": "a,b\n",
        "docs-main/unused.bin": Buffer.of(1, 2),
      },
      { spaceId: space.id, message: "From the repository" },
    );
    const { revision, ...counts } = imported;
    expect(counts).toEqual({
      pageCount: 3,
      fileCount: 3,
      linkCount: 6,
      warnings: [
        {
          path: "guide/README.md",
          line: 1,
          message: "The link target gone.md does not exist in the import.",
          kind: "LINK",
        },
      ],
      warningCount: 1,
    });
    const content = await contentOf(as, revision.id);
    expect(content.outline).toEqual(["old", "readme", "guide", "  more"]);
    expect(content.texts).toEqual({
      old: "Old text",
      readme: "# Welcome\n![Logo](file:logo.png) [all](page:guide)\n",
      guide: '[up](page:readme#top) [gone](gone.md)\n\n<img src="file:logo.png">\n',
      "guide/more": "[data](file:data.csv) ![same](file:logo.png)",
    });
    expect(content.files.map(({ name, size }) => `${name} ${size}`).toSorted()).toEqual(["data.csv 4", "logo.png 45"]);
    expect(await app.database.prisma.revision.findUnique({ where: { id: revision.id } })).toMatchObject({
      type: "import",
      message: "From the repository",
      parents: [revisionId],
      authorId: editor.id,
    });
    const events = await app.eventsOf(space.id);
    const payload = { revisionId: revision.id, revisionBeforeId: revisionId, changeRequestId: null };
    expect(events.slice(1).map((event) => [event.type, event.payload])).toEqual([
      ["space.contentUpdated", payload],
      ["content.imported", payload],
    ]);
    const logo = content.files.find(({ name }) => name === "logo.png");
    const cover = `{ node(id: "${revision.id}") { ... on Revision { page(by: { path: "readme" }) { cover { yPos ref { fileId } } } } } }`;
    expect(await as.query(cover)).toEqual({ node: { page: { cover: { yPos: 5, ref: { fileId: logo?.id } } } } });
  });

  test("omits files that a content may not have: their links stay, with a warning", async () => {
    const { as, space } = await withPage();
    const name = `${"x".repeat(201)}.png`;
    // It compresses badly enough not to be refused as a ZIP bomb.
    const large = Buffer.alloc(importLimits.fileSize + 1, Buffer.from(times(251, (index) => index)));
    const text = `![](${name}) [film](large.bin)`;
    const files = { "a.md": text, [name]: await png(1), "large.bin": large };
    const blob = await new FolderStore(app.filesFolder).receive([zip(files, { level: 0 })], 30_000_000);
    await using source = await openUploadedZip(uploadOf("a.zip", blob));
    const warnings = new ImportWarnings();
    const linked = [name, "large.bin"].flatMap((path) => source.files.get(path) ?? []);
    expect(await keepFiles({ files: new FolderStore(app.filesFolder) }, linked, warnings)).toEqual(new Map());
    expect(warnings.first.map(({ message }) => message)).toEqual([
      "A file cannot have this name. Links to it stay unchanged.",
      "It has more than 25000000 bytes. Links to it stay unchanged.",
    ]);
    const { "large.bin": _large, ...sendable } = files;
    const imported = await importAs(as, sendable, { spaceId: space.id });
    expect(imported).toMatchObject({ pageCount: 1, fileCount: 0, linkCount: 0, warningCount: 2 });
    expect((await contentOf(as, imported.revision.id)).texts).toMatchObject({ a: text });
  });

  test("leaves out or converts what is odd in a repository, and says so with file and line", async () => {
    const { as, space } = await withPage();
    const files: Files = {
      "docs\\01-intro.mdx":
        "---\ntitle: Re: our plan\n---\nimport A from '@x';\n\n[[Deep Note|note]] [c](Config.md) [d](gone.md)\n",
      "docs/02-config.md": "---\nslug: /settings\n---\n![p](/img/p.png)\n",
      "docs/config.md": "",
      "docs/_category_.json": '{"label": "Manual"}',
      "docs/sub/Deep Note.md": Buffer.from("Gr\xfc\xdfe", "latin1"),
      "static/img/p.png": await png(3),
      "../outside.md": "",
    };
    const target = { spaceId: space.id, replace: true };
    const imported = await importAs(as, files, target);
    const content = await contentOf(as, imported.revision.id);
    expect(content.outline).toEqual(["docs", "  intro", "  settings", "  config", "  sub", "    deep-note"]);
    expect(content.texts).toMatchObject({
      "docs/intro": "[note](page:docs/sub/deep-note) [c](page:docs/config) [d](gone.md)\n",
      "docs/settings": "![p](file:p.png)\n",
      "docs/sub/deep-note": "Grüße",
    });
    const counts = { CONVERTED: 3, FRONT_MATTER: 1, LINK: 1, OMITTED: 1 };
    expect(await warningCountsOf(as, files, target)).toEqual(counts);
    expect(imported.warnings.map(({ path, line, kind }) => [path, line, kind])).toEqual(
      expect.arrayContaining([
        ["../outside.md", null, "OMITTED"],
        ["docs/sub/Deep Note.md", null, "CONVERTED"],
        ["docs/01-intro.mdx", 1, "FRONT_MATTER"],
        ["docs/01-intro.mdx", 4, "CONVERTED"],
        ["docs/01-intro.mdx", 6, "CONVERTED"],
        ["docs/01-intro.mdx", 6, "LINK"],
      ]),
    );
  });

  test("is added beside existing pages, or below a given page; taken slugs get numbers", async () => {
    const { as, space, old } = await withPage();
    const files = { "old.md": "[b](folder/b.md)", "folder/b.md": "[a](../old.md)" };
    await importAs(as, files, { spaceId: space.id });
    const { revision } = await importAs(as, files, { spaceId: space.id, parentId: old.pageId });
    const content = await contentOf(as, revision.id);
    expect(content.outline).toEqual(["old", "  folder", "    b", "  old", "folder", "  b", "old-2"]);
    expect(content.texts).toMatchObject({
      "old-2": "[b](page:folder/b)",
      "folder/b": "[a](page:old-2)",
      "old/old": "[b](page:old/folder/b)",
      "old/folder/b": "[a](page:old/old)",
    });
  });

  test("can target a change request", async () => {
    const { editor, changeRequest, space } = await world.changeRequest();
    const as = app.as(editor.token);
    const { revision } = await importAs(as, { "a.md": "A" }, { changeRequestId: changeRequest.id });
    expect((await contentOf(as, revision.id)).outline).toEqual(["a"]);
    const { revisionId } = await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } });
    expect(revisionId).toBe(space.revisionId);
    const events = await app.eventsOf(changeRequest.id);
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      "changeRequest.contentImported",
      "changeRequest.contentUpdated",
    ]);
  });
});

describe("an import with replace", () => {
  const folder = async (): Promise<Files> => ({
    "README.md": "# Start\n[a](a/README.md)\n",
    "a/README.md": "![p](../p.png)\n",
    "a/b.md": "B\n",
    "p.png": await png(7),
  });

  test("removes everything else, and changes nothing for the same folder", async () => {
    const { as, space, revisionId } = await withPage();
    const replace = async (files: Files) =>
      (await importAs(as, files, { spaceId: space.id, replace: true })).revision.id;
    await uploadAs(as, { spaceId: space.id, file: pngFile("old.png", { width: 1, height: 1 }) });
    const first = await replace(await folder());
    const before = await contentOf(as, first);
    expect(before.outline).toEqual(["readme", "a", "  b"]);
    expect(before.files.map(({ name }) => name)).toEqual(["p.png"]);
    expect(await replace(await folder())).toBe(first);
    expect((await contentOf(as, revisionId)).outline).toEqual(["old"]);
  });

  test("updates pages at the same paths with their ids and dates, and only where they differ", async () => {
    const { as, space } = await withPage();
    const replace = async (files: Files) =>
      (await importAs(as, files, { spaceId: space.id, replace: true })).revision.id;
    const before = await contentOf(as, await replace(await folder()));
    const again = {
      ...(await folder()),
      "a/b.md": "Another B\n",
      "a/c.md": "New\n",
      "a/README.md": "![p](../p.png) and ![q](../q.png)\n",
      "q.png": await png(8),
    };
    const revisionId = await replace(again);
    const after = await contentOf(as, revisionId);
    expect(after.outline).toEqual(["readme", "a", "  b", "  c"]);
    for (const path of ["readme", "a", "a/b"]) expect(after.ids.get(path)).toBe(before.ids.get(path));
    expect(after.files.filter(({ id }) => before.files.some((file) => file.id === id)).map(({ name }) => name)).toEqual(
      ["p.png"],
    );
    const times = await as.query<{ node: { pages: { slug: string; createdAt: string; updatedAt: string }[] } }>(
      `{ node(id: "${revisionId}") { ... on Revision { pages { slug createdAt updatedAt } } } }`,
    );
    const [readme, a] = times.node.pages;
    expect(readme?.updatedAt).toBe(readme?.createdAt);
    expect(a?.createdAt).toBe(readme?.createdAt);
    expect(Date.parse(a?.updatedAt ?? "")).toBeGreaterThan(Date.parse(a?.createdAt ?? ""));
  });

  test("creates a new page if its type or path changes", async () => {
    const { as, space } = await withPage();
    const replace = async (files: Files) =>
      (await importAs(as, files, { spaceId: space.id, replace: true })).revision.id;
    const before = await contentOf(as, await replace({ "a/b.md": "", "c.md": "" }));
    const after = await contentOf(as, await replace({ "a/README.md": "", "a/b.md": "", "d/c.md": "" }));
    expect(after.outline).toEqual(["a", "  b", "d", "  c"]);
    expect(after.ids.get("a")).not.toBe(before.ids.get("a"));
    expect(after.ids.get("a/b")).toBe(before.ids.get("a/b"));
    expect(after.ids.get("d/c")).not.toBe(before.ids.get("c"));
  });

  test("keeps variables and reusable contents, with the files that these link to", async () => {
    const { as, space } = await withPage();
    const { file } = await uploadAs(as, { spaceId: space.id, file: pngFile("shared.png", { width: 1, height: 1 }) });
    await editAs(
      as,
      { spaceId: space.id },
      { createReusableContent: { title: "Shared", markdown: `![](file:${file.id})` } },
    );
    const { revision } = await importAs(as, { "a.md": "A" }, { spaceId: space.id, replace: true });
    const content = await contentOf(as, revision.id);
    expect(content.outline).toEqual(["a"]);
    expect(content.files.map(({ name }) => name)).toEqual(["shared.png"]);
  });
});

describe("an import is refused, with nothing changed,", () => {
  async function expectRefused(input: Record<string, unknown>, code: string, message?: RegExp) {
    const { as, space, revisionId } = await withPage();
    const { errors } = await as.graphql(importDocument, {
      input: { contentOf: { spaceId: space.id }, from: { archive: zipFile() }, ...input },
    });
    expect(errors?.[0]?.extensions.code).toBe(code);
    if (message) expect(errors?.[0]?.message).toMatch(message);
    const { revisionId: current } = await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } });
    expect(current).toBe(revisionId);
  }

  test.each([
    ["a text instead of an archive", () => new File(["# Text"], "a.md"), /cannot be read/],
    ["an archive without pages", () => zipFile({ "a.txt": "a" }), /no Markdown file/],
    [
      "an archive with only a path outside of it",
      () => zipFile({ "../a.md": "a" }),
      /no Markdown files\. \.\.\/a\.md: Its path is not inside the import/,
    ],
    ["only a page that is not a text", () => zipFile({ "a.md": Buffer.of(0, 1, 2) }), /a\.md: It is not a text/],
  ])("%s", (_what, archive, message) => expectRefused({ from: { archive: archive() } }, "INVALID_INPUT", message));

  test("a parent that is missing or will be removed", async () => {
    await expectRefused({ parentId: "pag_00000000000000000000000000" }, "NOT_FOUND");
    await expectRefused({ parentId: "pag_00000000000000000000000000", replace: true }, "INVALID_INPUT");
  });

  test("a stale revision, and a target that is not one", async () => {
    await expectRefused({ expectedRevisionId: "rev_00000000000000000000000000" }, "CONFLICT");
    await expectRefused({ contentOf: {} }, "INVALID_INPUT");
  });

  test("a locked space, and a merged or archived change request", async () => {
    const locked = await world.space({ space: { editMode: "locked" } });
    const over = await world.changeRequest({ changeRequest: { status: "archived" } });
    const targets = [
      [locked.editor, { spaceId: locked.space.id }],
      [over.editor, { changeRequestId: over.changeRequest.id }],
    ] as const;
    for (const [editor, target] of targets)
      expect(
        await app
          .as(editor.token)
          .refusal(importDocument, { input: { contentOf: target, from: { archive: zipFile() } } }),
      ).toBe("CONFLICT");
  });

  test("an import by a user with read access is refused before the archive is opened", async () => {
    const { reader, space } = await world.space();
    const input = { contentOf: { spaceId: space.id }, from: { archive: new File(["no archive"], "a.zip") } };
    expect(await app.as(reader.token).refusal(importDocument, { input })).toBe("FORBIDDEN");
  });
});

test("files of any size are imported with their Git hash", async () => {
  const { editor, space } = await world.space();
  const as = app.as(editor.token);
  const large = Buffer.concat([await png(1), Buffer.alloc(600_000, "large")]);
  const { revision, fileCount } = await importAs(as, { "a.md": "![](b.png)\n", "b.png": large }, { spaceId: space.id });
  expect(fileCount).toBe(1);
  const { node } = await as.query<{ node: { files: { nodes: object[] } } }>(
    `{ node(id: "${revision.id}") { ... on Revision { files { nodes { size git { oid } } } } } }`,
  );
  const oid = createHash("sha1").update(`blob ${large.length}\0`).update(large).digest("hex");
  expect(node.files.nodes).toEqual([{ size: large.length, git: { oid } }]);
});
