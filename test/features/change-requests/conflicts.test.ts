// Conflicts of change requests by kind: their fields, the refused merge that changes nothing, and the result of each
// choice. At the small size each kind is resolved by some of the choices.
import { describe, expect, test } from "vitest";
import { type Edit, editAs } from "#test/features/content/edits.ts";
import {
  type Chosen,
  guideWith,
  move,
  newPageAt,
  nine,
  openChangeRequest,
  remove,
  type Scene,
  setScene,
  update,
} from "#test/features/change-requests/scene.ts";
import { useApp } from "#test/support/app.ts";
import { inTurn } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

type Ids = Scene["ids"];
const whole = JSON.stringify(nine.join("\n"));
interface Case {
  readonly name: string;
  readonly main: (ids: Ids) => Edit[];
  readonly mine: (ids: Ids) => Edit[];
  /** The only conflict, without its id. */
  readonly shown: Record<string, unknown>;
  readonly ours: string[];
  readonly theirs: string[];
  readonly text?: readonly [text: string, pages: string[]];
}

const cases: readonly Case[] = [
  {
    name: "both set a field",
    main: ({ faq }) => [update(faq, { title: "Answers", emoji: "📗" })],
    mine: ({ faq }) => [update(faq, { title: "Questions", icon: "help" })],
    shown: {
      __typename: "PageFieldConflict",
      message: "Both changed the title of the page faq.",
      takesText: true,
      page: { slug: "faq" },
      field: "title",
      baseValue: "FAQ",
      oursValue: "Questions",
      theirsValue: "Answers",
    },
    ours: [`guide Guide ${whole}`, "  start Start", "  setup Setup", "faq Questions"],
    theirs: [`guide Guide ${whole}`, "  start Start", "  setup Setup", "faq Answers"],
    text: [" Help ", [`guide Guide ${whole}`, "  start Start", "  setup Setup", "faq Help"]],
  },
  {
    name: "both set a part of an object field",
    main: ({ faq }) => [update(faq, { layout: { width: "WIDE", cover: true } })],
    mine: ({ faq }) => [update(faq, { layout: { width: "WIDE", cover: false } })],
    shown: {
      __typename: "PageFieldConflict",
      message: "Both changed the layout.cover of the page faq.",
      takesText: false,
      page: { slug: "faq" },
      field: "layout.cover",
      baseValue: null,
      oursValue: false,
      theirsValue: true,
    },
    ours: [`guide Guide ${whole}`, "  start Start", "  setup Setup", "faq FAQ"],
    theirs: [`guide Guide ${whole}`, "  start Start", "  setup Setup", "faq FAQ"],
  },
  {
    name: "both changed the same lines",
    main: ({ guide }) => [update(guide, { markdown: guideWith({ 2: "zwei", 7: "SEVEN" }) })],
    mine: ({ guide }) => [update(guide, { markdown: guideWith({ 1: "zero\none", 2: "deux" }) })],
    shown: {
      __typename: "PageTextConflict",
      message:
        "Both changed the text of the page guide, from line 3 in the change request and line 2 in the main content.",
      takesText: true,
      page: { slug: "guide" },
      baseText: "two\n",
      oursText: "deux\n",
      theirsText: "zwei\n",
      baseLine: 2,
      oursLine: 3,
      theirsLine: 2,
    },
    ours: [
      `guide Guide ${JSON.stringify(guideWith({ 1: "zero\none", 2: "deux", 7: "SEVEN" }))}`,
      "  start Start",
      "  setup Setup",
      "faq FAQ",
    ],
    theirs: [
      `guide Guide ${JSON.stringify(guideWith({ 1: "zero\none", 2: "zwei", 7: "SEVEN" }))}`,
      "  start Start",
      "  setup Setup",
      "faq FAQ",
    ],
    text: [
      "  two  \n",
      [
        `guide Guide ${JSON.stringify(guideWith({ 1: "zero\none", 2: "  two  ", 7: "SEVEN" }))}`,
        "  start Start",
        "  setup Setup",
        "faq FAQ",
      ],
    ],
  },
  {
    name: "the main content deleted what the change request edited",
    main: ({ guide }) => [remove(guide)],
    mine: ({ guide }) => [update(guide, { title: "Handbook" })],
    shown: {
      __typename: "PageDeletionConflict",
      message: "The main content deleted the page guide, which the other changed.",
      takesText: false,
      page: { slug: "guide" },
      deletedBy: "THEIRS",
    },
    ours: [`guide Handbook ${whole}`, "  start Start", "  setup Setup", "faq FAQ"],
    theirs: ["faq FAQ"],
  },
  {
    name: "the change request deleted a page below which the main content edited one",
    main: ({ start }) => [update(start, { title: "Begin" })],
    mine: ({ guide }) => [remove(guide)],
    shown: {
      __typename: "PageDeletionConflict",
      message: "The change request deleted the page guide/start, which the other changed.",
      takesText: false,
      page: { slug: "start" },
      deletedBy: "OURS",
    },
    ours: ["faq FAQ"],
    theirs: [`guide Guide ${whole}`, "  start Begin", "faq FAQ"],
  },
  {
    name: "both moved a page",
    main: ({ start, faq }) => [move(start, faq)],
    mine: ({ start }) => [move(start, null)],
    shown: {
      __typename: "PageMoveConflict",
      message: "Both moved the page faq/start: the change request to the top, the main content to the page faq.",
      takesText: false,
      page: { slug: "start" },
      baseParent: { slug: "guide" },
      oursParent: null,
      theirsParent: { slug: "faq" },
    },
    ours: [`guide Guide ${whole}`, "  setup Setup", "faq FAQ", "start Start"],
    theirs: [`guide Guide ${whole}`, "  setup Setup", "faq FAQ", "  start Start"],
  },
  {
    name: "a page was created below a deleted one",
    main: ({ faq }) => [remove(faq)],
    mine: ({ faq }) => [newPageAt(faq, { title: "New" })],
    shown: {
      __typename: "PageParentConflict",
      message: "The main content deleted the page faq, under which the other put the page faq/new.",
      takesText: false,
      page: { slug: "new" },
      deletedParent: { slug: "faq" },
      deletedBy: "THEIRS",
    },
    ours: [`guide Guide ${whole}`, "  start Start", "  setup Setup", "faq FAQ", "  new New"],
    theirs: [`guide Guide ${whole}`, "  start Start", "  setup Setup"],
  },
  {
    name: "a page was moved below a deleted one",
    main: ({ start, faq }) => [move(start, faq)],
    mine: ({ faq }) => [remove(faq)],
    shown: {
      __typename: "PageParentConflict",
      message: "The change request deleted the page faq, under which the other put the page faq/start.",
      takesText: false,
      page: { slug: "start" },
      deletedParent: { slug: "faq" },
      deletedBy: "OURS",
    },
    ours: [`guide Guide ${whole}`, "  start Start", "  setup Setup"],
    theirs: [`guide Guide ${whole}`, "  setup Setup", "faq FAQ", "  start Start"],
  },
  {
    name: "two moves form a cycle",
    main: ({ guide, faq }) => [move(guide, faq)],
    mine: ({ guide, faq }) => [move(faq, guide)],
    shown: {
      __typename: "PageCycleConflict",
      message: expect.stringMatching(/^Together, the moves of both sides form a cycle: the page .*, the page .*\.$/),
      takesText: false,
      pages: expect.arrayContaining([{ slug: "guide" }, { slug: "faq" }]),
    },
    ours: [`guide Guide ${whole}`, "  start Start", "  setup Setup", "  faq FAQ"],
    theirs: ["faq FAQ", `  guide Guide ${whole}`, "    start Start", "    setup Setup"],
  },
  {
    name: "two pages get the same slug",
    main: () => [newPageAt(null, { title: "Notes" })],
    mine: ({ faq }) => [update(faq, { title: "My notes", slug: "notes" })],
    shown: {
      __typename: "PageSlugConflict",
      message: "Both have a page with the slug notes under the top.",
      takesText: true,
      slug: "notes",
      parent: null,
      oursPage: { title: "My notes" },
      theirsPage: { title: "Notes" },
    },
    ours: [`guide Guide ${whole}`, "  start Start", "  setup Setup", "notes My notes", "notes-2 Notes"],
    theirs: [`guide Guide ${whole}`, "  start Start", "  setup Setup", "notes-2 My notes", "notes Notes"],
    text: ["mine", [`guide Guide ${whole}`, "  start Start", "  setup Setup", "mine My notes", "notes Notes"]],
  },
];

async function begin({ main, mine }: Case) {
  const scene = await setScene(app, world);
  await scene.main(...main(scene.ids));
  await scene.mine(...mine(scene.ids));
  return scene;
}

describe.each(cases.map((each, index) => [each.name, each, index] as const))("conflict: %s", (_name, each, index) => {
  test("is listed and blocks the merge, which changes nothing", async () => {
    const scene = await begin(each);
    const before = [await scene.current(), await scene.stored()];
    const [conflict, ...others] = await scene.conflicts();
    expect(conflict).toEqual({ ...each.shown, conflictId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(others).toEqual([]);
    const { data, errors } = await scene.merge();
    expect(data).toBeNull();
    expect(errors?.[0]?.extensions).toEqual({
      code: "CONFLICT",
      details: [{ path: `conflicts/${conflict?.conflictId}`, message: conflict?.message }],
    });
    expect((await scene.pull()).data?.pullChangeRequestUpdates.result).toBe("CONFLICTS");
    expect([await scene.current(), await scene.stored()]).toEqual(before);
  });

  const outcomes: (readonly [Chosen, string[]])[] = [
    ["OURS", each.ours],
    ["THEIRS", each.theirs],
    ...(each.text ? [[{ text: each.text[0] }, each.text[1]] as const] : []),
  ];
  // Those with a text are resolved by OURS, too, and others by a side in turn.
  test.each(inTurn(outcomes, each.text ? 0 : index % 2))("merges after resolution by %j", async (choice, pages) => {
    const scene = await begin(each);
    const [ours, theirs] = [(await scene.stored()).revisionId, await scene.current()];
    const [conflict] = await scene.conflicts();
    const { data, errors } = await scene.resolve(new Map([[conflict?.conflictId ?? "", choice]]));
    expect(errors).toBeUndefined();
    expect(data?.resolveConflicts).toMatchObject({
      revision: { type: "UPDATE", parents: [ours, theirs] },
      changeRequest: { outdated: false, revisionMergedAncestorId: theirs, conflicts: [] },
    });
    expect(await scene.mineNow()).toEqual(pages);
    expect(await scene.merged()).toEqual(pages);
  });
});

test("contradicting page orders are a conflict with both orders", async () => {
  const begun = async () => {
    const scene = await setScene(app, world);
    const { guide, start, setup } = scene.ids;
    await scene.main(newPageAt(guide, { title: "Tips" }));
    await scene.pull();
    await scene.main(move(setup, guide));
    await scene.mine(move(start, guide, { afterPageId: setup }));
    return scene;
  };
  const scene = await begun();
  const slugs = (...names: string[]) => names.map((slug) => ({ slug }));
  const [conflict] = await scene.conflicts();
  expect(conflict).toMatchObject({
    __typename: "PageOrderConflict",
    message: "Both changed the order of the pages under the page guide.",
    takesText: false,
    parent: { slug: "guide" },
    basePages: slugs("start", "setup", "tips"),
    oursPages: slugs("setup", "start", "tips"),
    theirsPages: slugs("start", "tips", "setup"),
  });
  const pages = {
    OURS: ["setup Setup", "start Start", "tips Tips"],
    THEIRS: ["start Start", "tips Tips", "setup Setup"],
  };
  for (const choice of ["OURS", "THEIRS"] as const) {
    const other = await begun();
    const [{ conflictId } = { conflictId: "" }] = await other.conflicts();
    await other.resolve(new Map([[conflictId, choice]]));
    expect((await other.merged()).slice(1, 4)).toEqual(pages[choice].map((line) => `  ${line}`));
  }
});

test("conflicts of any number of change requests are read in the same number of statements", async () => {
  const { as, main, space, ids } = await setScene(app, world);
  const open = async () => {
    const changeRequestId = await openChangeRequest(as, space.id);
    const title = `Title ${changeRequestId}`;
    const [field, text] = [update(ids.faq, { title }), update(ids.guide, { markdown: guideWith({ 2: title }) })];
    await editAs(as, { changeRequestId }, field, text);
  };
  await open();
  await open();
  const document = `{ space(id: "${space.id}") { changeRequests(first: 50) { nodes { conflicts { message } } } } }`;
  const clash = (title: string) =>
    main(update(ids.faq, { title }), update(ids.guide, { markdown: guideWith({ 2: title }) }));
  await clash("Now they clash");
  const few = await as.statements(document);
  for (let more = 0; more < 10; more++) await open();
  expect(few).toBe(6); // spaces, change requests, their spaces, revisions, trees, texts
  await clash("Now twelve clash");
  expect(await as.statements(document)).toBe(few);
  const { space: found } = await as.query<{ space: { changeRequests: { nodes: { conflicts: object[] }[] } } }>(
    document,
  );
  expect(found.changeRequests.nodes.map(({ conflicts }) => conflicts.length)).toEqual([...times(12, () => 2), 0]);
});
