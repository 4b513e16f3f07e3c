// Merging files, variables and reusable contents, which all pages share: each is merged separately.
import { describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { readFileList, storeFileList } from "#src/features/content/commands/files.ts";
import { type Chosen, type Scene, setScene } from "#test/features/change-requests/scene.ts";
import type { Edit } from "#test/features/content/edits.ts";
import { giveFiles } from "#test/features/content/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

/** The main content and a change request, both edited from a base that the `base` edits created. */
async function withEdits(base: Edit[], theirs: Edit[], ours: Edit[]): Promise<Scene> {
  const scene = await setScene(app, world);
  await scene.main(...base);
  await scene.pull();
  await scene.main(...theirs);
  await scene.mine(...ours);
  return scene;
}

/** Resolves the conflicts with these choices, in order, and merges. */
async function settle(scene: Scene, ...choices: Chosen[]): Promise<void> {
  const conflicts = await scene.conflicts();
  const chosen = conflicts.map(({ conflictId }, index) => [conflictId, choices[index] ?? "OURS"] as const);
  const { errors } = await scene.resolve(new Map(chosen));
  expect(errors).toBeUndefined();
  expect((await scene.merge()).errors).toBeUndefined();
}

async function valuesOf({ as, current }: Scene) {
  const { node } = await as.query<{
    node: {
      variables: { name: string; value: string }[];
      reusableContents: { reusableContentId: string; title: string; markdown: string }[];
      files: { nodes: { name: string }[] };
    };
  }>(
    `query ($id: ID!) { node(id: $id) { ... on Revision {
      variables { name value } reusableContents { reusableContentId title markdown } files { nodes { name } }
    } } }`,
    { id: await current() },
  );
  return {
    variables: Object.fromEntries(node.variables.map(({ name, value }) => [name, value])),
    reusableContents: Object.fromEntries(
      node.reusableContents.map(({ reusableContentId, title, markdown }) => [reusableContentId, { title, markdown }]),
    ),
    files: node.files.nodes.map(({ name }) => name),
  };
}

const variables = (values: Readonly<Record<string, string | null>>): Edit => ({
  setVariables: { variables: Object.entries(values).map(([name, value]) => ({ name, value })) },
});

describe("merging variables", () => {
  const base = [variables({ version: "1", name: "A", gone: "x", kept: "k" })];
  const theirs = [variables({ version: "2", gone: null, more: "theirs" })];

  test("variables that one side changed are merged by name", async () => {
    const scene = await withEdits(base, theirs, [variables({ name: "B", other: "ours" })]);
    expect((await scene.merge()).errors).toBeUndefined();
    expect((await valuesOf(scene)).variables).toEqual({
      version: "2",
      name: "B",
      kept: "k",
      more: "theirs",
      other: "ours",
    });
  });

  test("variables set to different values, or deleted and changed, conflict", async () => {
    const scene = await withEdits(base, theirs, [variables({ version: "3", gone: "changed", more: "ours" })]);
    const conflictOf = (name: string, values: object) => ({
      __typename: "VariableConflict",
      conflictId: expect.any(String),
      message: `Both changed the variable ${name}.`,
      takesText: true,
      name,
      ...values,
    });
    expect(await scene.conflicts()).toEqual([
      conflictOf("gone", { base: "x", ours: "changed", theirs: null }),
      conflictOf("more", { base: null, ours: "ours", theirs: "theirs" }),
      conflictOf("version", { base: "1", ours: "3", theirs: "2" }),
    ]);
    await settle(scene, "THEIRS", { text: "both" }, "OURS");
    expect((await valuesOf(scene)).variables).toEqual({ version: "3", name: "A", kept: "k", more: "both" });
  });

  test("more than a hundred variables after the merge are a CONFLICT", async () => {
    const many = (prefix: string) =>
      variables(Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`${prefix}${index}`, "x"])));
    const scene = await withEdits([], [many("a")], [many("b")]);
    expect(await scene.conflicts()).toEqual([]);
    const [error] = (await scene.merge()).errors ?? [];
    expect(error?.extensions.code).toBe("CONFLICT");
    expect(error?.message).toContain("at most 100 variables");
  });
});

describe("merging reusable contents", () => {
  const [one, other, third] = [newId("ReusableContent"), newId("ReusableContent"), newId("ReusableContent")];
  const make = (reusableContentId: string, title: string, markdown: string): Edit => ({
    createReusableContent: { reusableContentId, title, markdown },
  });
  const change = (reusableContentId: string, fields: object): Edit => ({
    updateReusableContent: { reusableContentId, ...fields },
  });
  const base = [make(one, "Note", "1\n2\n3\n4\n"), make(other, "Footer", "Bye\n")];
  const theirs = [
    change(one, { title: "Hint", markdown: "one\n2\n3\n4\n" }),
    { deleteReusableContent: { reusableContentId: other } },
  ];

  test("reusable contents that one side changed are merged: titles, texts by line, creations and deletions", async () => {
    const scene = await withEdits(base, theirs, [change(one, { markdown: "1\n2\n3\nfour\n" }), make(third, "New", "")]);
    expect(await scene.conflicts()).toEqual([]);
    expect((await scene.merge()).errors).toBeUndefined();
    expect((await valuesOf(scene)).reusableContents).toEqual({
      [one]: { title: "Hint", markdown: "one\n2\n3\nfour\n" },
      [third]: { title: "New", markdown: "" },
    });
  });

  test("reusable contents that both sides changed differently, or one deleted and one changed, conflict", async () => {
    const ours = [change(one, { title: "Tip", markdown: "uno\n2\n3\n4\n" }), change(other, { markdown: "See you\n" })];
    const scene = await withEdits(base, theirs, ours);
    const conflicts = await scene.conflicts();
    const title = {
      __typename: "ReusableContentTitleConflict",
      conflictId: expect.any(String),
      message: "Both changed the title of the reusable content Tip.",
      takesText: true,
      reusableContentId: one,
      base: "Note",
      ours: "Tip",
      theirs: "Hint",
    };
    const deletion = {
      __typename: "ReusableContentDeletionConflict",
      conflictId: expect.any(String),
      message: "The main content deleted the reusable content Footer, which the other changed.",
      takesText: false,
      reusableContentId: other,
      deletedBy: "THEIRS",
    };
    const text = {
      __typename: "ReusableContentTextConflict",
      conflictId: expect.any(String),
      message:
        "Both changed the text of the reusable content Tip, from line 1 in the change request and line 1 in the main content.",
      takesText: true,
      reusableContentId: one,
      baseText: "1\n",
      oursText: "uno\n",
      theirsText: "one\n",
      baseLine: 1,
      oursLine: 1,
      theirsLine: 1,
    };
    expect(conflicts).toEqual([title, deletion, text]);
    await settle(scene, "THEIRS", "OURS", { text: "eins\n" });
    expect((await valuesOf(scene)).reusableContents).toEqual({
      [one]: { title: "Hint", markdown: "eins\n2\n3\n4\n" },
      [other]: { title: "Footer", markdown: "See you\n" },
    });
  });
});

describe("merging files", () => {
  /** Takes the first of its files out of a revision. */
  async function loseFirst(id: string): Promise<void> {
    await app.database.prisma.$transaction(async (transaction) => {
      const { filesHash } = await transaction.revision.findUniqueOrThrow({ where: { id } });
      const [, ...others] = await readFileList(transaction, filesHash);
      await transaction.revision.update({
        where: { id },
        data: { filesHash: await storeFileList(transaction, others) },
      });
    });
  }

  test("files added on either side exist after the merge, and files deleted on either side do not", async () => {
    const scene = await withEdits([variables({ a: "1" })], [variables({ b: "2" })], [variables({ c: "3" })]);
    const { base, theirs, ours } = await heads(scene);
    await giveFiles(app.database, base, ["gone.txt", "kept.txt"]);
    const { filesHash } = await app.database.prisma.revision.findUniqueOrThrow({ where: { id: base } });
    await app.database.prisma.revision.updateMany({ where: { id: { in: [theirs, ours] } }, data: { filesHash } });
    await loseFirst(theirs);
    await giveFiles(app.database, theirs, ["theirs.txt"]);
    await giveFiles(app.database, ours, ["ours.txt"]);
    expect((await scene.merge()).errors).toBeUndefined();
    expect((await valuesOf(scene)).files).toEqual(["kept.txt", "theirs.txt", "ours.txt"]);
  });

  test("files of one side alone are kept; with files on neither side the result has no files", async () => {
    const scene = await withEdits([variables({ a: "1" })], [variables({ b: "2" })], [variables({ c: "3" })]);
    const { base, theirs, ours } = await heads(scene);
    for (const id of [base, theirs, ours]) await giveFiles(app.database, id, []);
    await giveFiles(app.database, ours, ["ours.txt"]);
    expect((await scene.merge()).errors).toBeUndefined();
    expect((await valuesOf(scene)).files).toEqual(["ours.txt"]);
  });

  async function heads({ current, stored }: Scene) {
    const { revisionId: ours, revisionMergedAncestorId: base } = await stored();
    return { base: base ?? "", theirs: await current(), ours };
  }
});
