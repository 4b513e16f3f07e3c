// The stories of the demo, and their replay from folders of Markdown to revisions and change requests.
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { at, readStory, type Story, storyFormat } from "#src/demo/story.ts";
import { Diary } from "#src/demo/diary.ts";
import { type RowOf, Rows } from "#src/demo/rows.ts";
import { last, Play, type State } from "#src/demo/play.ts";
import { World } from "#src/demo/world.ts";
import { Contents } from "#src/history/contents.ts";

const spaces = readdirSync(new URL("../../../src/demo/stories", import.meta.url));

describe.each(spaces)("the demo story of %s", (space) => {
  test("uses each of its folders once", async () => {
    const { steps, folders } = await readStory(space);
    const used = steps.flatMap((step) => ["edited" in step && step.edited ? step.edited.files : [], step.files].flat());
    expect(used.toSorted()).toEqual([...folders.keys()].toSorted());
  });

  test("has only people at example.com", async () => {
    const { folders, documentation } = await readStory(space);
    if (documentation) return; // it names servers and programs
    const texts = [...folders.values()].flatMap((files) => [...files.values()]);
    const hosts = texts.flatMap((text) => [...text.matchAll(/https?:\/\/([^/\s)"]+)/g)].map(([, host]) => host));
    expect(hosts.filter((host) => !host?.endsWith("example.com"))).toEqual([]);
  });
});

type Folders = Record<string, Record<string, string>>;

/** Replays a story. */
async function playStory(story: object, folders: Folders) {
  const files = Object.entries(folders).map(([name, texts]) => [name, new Map(Object.entries(texts))] as const);
  const read: Story = { ...storyFormat.parse(story), folders: new Map(files) };
  const rows = new Rows();
  const world = new World(rows);
  world.add("world.yaml");
  const contents = new Contents();
  const place = { organizationId: newId("Organization"), title: "Space", emoji: "📘", position: "a0", revisionId: "" };
  const space: RowOf<"Space"> = { id: newId("Space"), createdAt: at(0), ...place };
  const play = new Play(rows, { people: world.id, diary: new Diary(), contents, space, story: read });
  await play.run();
  /** One line per page. Page ids, also in links, are shown as that of the file `<id>.md`. */
  const outline = ({ content }: State) => {
    const ids = new Map(["one", "two", "three"].map((name) => [play.pages.pageId(`${name}.md`), name]));
    const lines = Array.from(contents.tree(content.treeHash).byId.values(), ({ pageId, path, title, documentHash }) =>
      [`${path} "${title}"`, pageId, contents.text(documentHash).trim()].join(" "),
    );
    return lines.toSorted().map((line) => line.replaceAll(/pag_\w+/g, (id) => ids.get(id) ?? id));
  };
  return { play, outline };
}

const start = {
  first: { "SUMMARY.md": "- [One](one.md)\n- [Two](two.md)\n", "one.md": "1", "two.md": "See [one](one.md)." },
};
const opened = { edit: "Start", files: "first", by: "mara", at: "1 9:00" };
const proposed = { change: "Below", files: "below", by: "elif", at: "2 9:00" };
const below = { "SUMMARY.md": "- [One](one.md)\n  - [Two, moved](two.md)\n" };

const more = { edit: "More", files: "more", by: "mara", at: "3 9:00" };

test("changed files of a demo story replace the earlier ones; pages keep their ids when they move", async () => {
  const { play, outline } = await playStory(
    { steps: [opened, proposed, more] },
    { ...start, below, more: { "one.md": "1!" } },
  );
  expect(play.main.map(outline)).toEqual([
    [],
    ['one "One" one 1', 'two "Two" two See [one](page:one).'],
    ['one "One" one 1!', 'two "Two" two See [one](page:one).'],
  ]);
  expect(play.changes.map(({ states }) => states.map(outline))).toEqual([
    [['one "One" one 1', 'one/two "Two, moved" two See [one](page:one).']],
  ]);
});

test("a demo story's change request that pulled updates and was merged has the changes of both sides", async () => {
  const change = { ...proposed, updated: "4 9:00", merged: { by: "mara", at: "5 9:00" } };
  const { play, outline } = await playStory(
    { steps: [change, more, opened] },
    { ...start, below, more: { "one.md": "1!" } },
  );
  const both = ['one "One" one 1!', 'one/two "Two, moved" two See [one](page:one).'];
  expect(outline(last(play.main))).toEqual(both);
  expect(play.changes.map(({ row, states }) => [row.status, outline(last(states))])).toEqual([["merged", both]]);
});

test("a demo story fails on files that differ from the merge, and on warnings of the importer", async () => {
  const added = { "SUMMARY.md": "- [One](one.md)\n- [Two](two.md)\n- [Three](three.md)\n", "three.md": "3" };
  const change = { ...proposed, merged: { by: "mara", at: "5 9:00" } };
  await expect(playStory({ steps: [opened, more, change] }, { ...start, below, more: added })).rejects.toThrow(
    "The demo's files differ from the merge of Below",
  );
  await expect(playStory({ steps: [opened] }, { first: { "SUMMARY.md": "- [One](one.md)\n" } })).rejects.toThrow(
    "The demo's file SUMMARY.md: one.md does not exist",
  );
});
