// Loading a history: the result for the sample book, and refusals that change nothing.
import { beforeAll, describe, expect, test } from "vitest";
import { type History, readHistory } from "#src/history/history-file.ts";
import { loadHistory } from "#src/history/load-history.ts";
import { giveContent } from "#test/features/content/factory.ts";
import { day, smallHistory } from "#test/features/history/small-history.ts";
import { useApp } from "#test/support/app.ts";
import { bookHistory } from "#test/support/samples.ts";
import { addMember } from "#test/features/members/factory.ts";
import { addUser } from "#test/features/users/factory.ts";

// Has its own database: counts rows of whole tables.
const { app, world } = await useApp({ own: true });

async function rows<Row extends object>(text: string, parameters: unknown[] = []): Promise<Row[]> {
  return (await app.database.pool.query<Row>(text, parameters)).rows;
}

/** The number of rows in every table that loading writes. */
function countRows() {
  return rows(`select (select count(*)::int from "User") as users, (select count(*)::int from "OrganizationMember") as members,
    (select count(*)::int from "Revision") as revisions, (select count(*)::int from "ChangeRequest") as changes,
    (select count(*)::int from "Comment") as comments, (select json_agg(s."revisionId" order by id) from "Space" s) as active`);
}

interface Tree {
  readonly title: string;
  readonly slug: string;
  readonly path: string;
  readonly markdown: string;
  readonly hidden: boolean;
  readonly pages: readonly Tree[];
}

describe.skipIf(!bookHistory)("loading the sample book's history", () => {
  let history: History;
  let spaceId: string;
  let token: string;
  const progress: (readonly [done: number, total: number])[] = [];

  beforeAll(async () => {
    history = await readHistory(bookHistory ?? "");
    const { space, reader } = await world.space();
    spaceId = space.id;
    token = reader.token;
    await loadHistory(app.database, history, { spaceId, onProgress: (done, total) => progress.push([done, total]) });
  });

  const changesOfFile = () => history.steps.filter((step) => step.kind === "changeRequest");

  test("creates 66 merged change requests with their numbers, subjects, contributors and dates", async () => {
    const loaded = await rows(
      `select number, status, subject, u."displayName" as author, c."updatedAt" as date from "ChangeRequest" c join "User" u on u.id = c."createdById"
       where "spaceId" = $1 order by c.id`,
      [spaceId],
    );
    let last = 2374; // the highest number of the history: those without one get the next
    const expected = changesOfFile().map(({ number = ++last, subject, author, date }) => ({
      number,
      status: "merged",
      subject,
      author,
      date,
    }));
    expect(loaded).toHaveLength(66);
    expect(loaded).toEqual(expected);
  });

  test("adds the edits made between start and merge as comments", async () => {
    const commented = await rows<{ number: number; comments: string[] }>(
      `select c.number, array(select m.markdown from "Comment" m where m."changeRequestId" = c.id order by m.id) as comments
       from "ChangeRequest" c where "spaceId" = $1 and c.number in (2117, 1992, 2212, 2098) order by 1`,
      [spaceId],
    );
    expect(commented.map(({ number, comments }) => [number, comments.length])).toEqual([
      [1992, 0],
      [2098, 21],
      [2117, 4],
      [2212, 0],
    ]);
    expect(commented.find(({ number }) => number === 2117)?.comments[3]).toBe(
      "Merge pull request #1951 from mlevesquedion/fix/duck-typing-typo",
    );
  });

  test("creates a main content with one revision per step, the last of which is active", async () => {
    const main = await rows<{ type: string; createdAt: Date; message: string }>(
      `with recursive main as (
         select r.*, 0 as age from "Revision" r join "Space" s on s."revisionId" = r.id where s.id = $1
         union all select r.*, main.age + 1 from "Revision" r join main on r.id = main.parents[1])
       select type::text, "createdAt", message from main order by age desc`,
      [spaceId],
    );
    expect(main.map(({ type }) => type)).toEqual([
      "initial",
      "import",
      ...history.steps.map(({ kind }) => (kind === "edit" ? "edits" : "merge")),
    ]);
    expect(main.at(-1)?.message).toBe("Link to the reference");
    const times = main.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    const { space } = await app
      .as(token)
      .query<{ space: { revisions: { nodes: { type: string }[] } } }>(
        "query ($id: ID!) { space(id: $id) { revisions(first: 1000) { nodes { type } } } }",
        { id: spaceId },
      );
    expect(space.revisions.nodes.map(({ type }) => type).slice(-2)).toEqual(["IMPORT", "INITIAL"]);
  });

  const contentOf = async (selection: string) => {
    const { space } = await app
      .as(token)
      .query<{ space: { content: { pages: Tree[] }; changeRequest: { content: { pages: Tree[] } } } }>(
        `query ($id: ID!) { space(id: $id) { ${selection} } }`,
        { id: spaceId },
      );
    return space;
  };
  const fields = "title slug path markdown hidden";
  const tree = `content { pages { ${fields} pages { ${fields} } } }`;
  const textsOf = (files: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(files).map(([path, blob]) => [path.replace(".md", ""), history.blobs[blob]]));
  const textsIn = (pages: readonly Tree[]) =>
    Object.fromEntries(pages.flatMap((page) => [page, ...page.pages]).map(({ slug, markdown }) => [slug, markdown]));

  test("creates the final pages to the last character, with the titles and order of its table of contents", async () => {
    const { content } = await contentOf(tree);
    const { SUMMARY, ...texts } = textsOf(history.end);
    expect(textsIn(content.pages)).toEqual({ ...texts, summary: SUMMARY });
    expect(content.pages.slice(0, 6).map(({ title, pages }) => [title, pages.length])).toEqual([
      ["The Rust Programming Language", 0],
      ["Foreword", 0],
      ["Introduction", 0],
      ["Getting Started", 3],
      ["Programming a Guessing Game", 0],
      ["Common Programming Concepts", 5],
    ]);
    expect(content.pages.find(({ title }) => title === "Enums and Pattern Matching")?.pages[1]).toMatchObject({
      title: "The match Control Flow Operator",
      path: "ch06-00-enums/ch06-02-match",
    });
    expect(content.pages.at(-1)).toMatchObject({ slug: "summary", hidden: true });
  });

  test("creates change requests with the content of their edits", async () => {
    const change = changesOfFile().find(({ number }) => number === 2117);
    const done = history.steps.slice(0, change?.startedAfter).map(({ after }) => after);
    // The book's history has no deletions.
    const files = Object.assign({}, history.start, ...done, change?.edits) as Record<string, string>;
    const { changeRequest } = await contentOf(`changeRequest(by: { number: 2117 }) { ${tree} }`);
    const { SUMMARY, ...texts } = textsOf(files);
    expect(textsIn(changeRequest.content.pages)).toEqual({ ...texts, summary: SUMMARY });
  });

  test("is readable in the nested query by a reader of the space", async () => {
    interface Answer {
      space: {
        changeRequests: {
          totalCount: number;
          nodes: { number: number; outdated: boolean; comments: { totalCount: number } }[];
        };
      };
    }
    const { space } = await app
      .as(token)
      .query<Answer>(
        `query ($id: ID!) { space(id: $id) { changeRequests(first: 3, statuses: [MERGED]) { totalCount nodes { number outdated comments { totalCount } } } } }`,
        { id: spaceId },
      );
    expect(space.changeRequests.totalCount).toBe(66);
    expect(space.changeRequests.nodes.map(({ number, outdated }) => [number, outdated])).toEqual([
      [2385, false],
      [2384, false],
      [2383, false],
    ]);
  });

  test("logs its progress to the end", () => {
    const total = 1 + 120 + 66 + 66 + 272;
    const [done = 0, due] = progress.at(-1) ?? [];
    expect(done).toBe(due);
    expect(done).toBeGreaterThan(total + 400); // and every text once
  });

  test("is refused the second time and changes nothing", async () => {
    const before = await countRows();
    await expect(loadHistory(app.database, history, { spaceId })).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(/1992, 2098, 2117 and 63 more/) as string, // the matcher's type is `any`
    });
    expect(await countRows()).toEqual(before);
  });
});

describe("loading a small history", () => {
  test("is refused for a space with pages, which it would replace", async () => {
    const { space } = await world.space();
    await giveContent(app.database, space.revisionId, ["Kept"]);
    await expect(loadHistory(app.database, smallHistory(), { spaceId: space.id })).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("already has pages") as string,
    });
  });

  test("continues numbers after its highest one, and comments only edits in between", async () => {
    const { space } = await world.space();
    await loadHistory(app.database, smallHistory(), { spaceId: space.id });
    const loaded = await rows(
      `select c.number, c.subject, c."createdAt", c."revisionInitialId" = r.parents[1] as "standsOnStart", i.message as start,
         array(select markdown from "Comment" m where m."changeRequestId" = c.id order by m."postedAt") as comments
       from "ChangeRequest" c join "Revision" r on r.id = c."revisionId" join "Revision" i on i.id = c."revisionInitialId" where c."spaceId" = $1 order by 1`,
      [space.id],
    );
    expect(loaded).toEqual([
      {
        number: 7,
        subject: "Numbered",
        createdAt: day(3),
        standsOnStart: true,
        start: "Made out of sight",
        comments: [],
      },
      {
        number: 8,
        subject: "Made out of sight",
        createdAt: day(1),
        standsOnStart: true,
        start: "Start of the loaded history",
        comments: ["Before it starts", "While it is open"],
      },
    ]);
    const counters = await rows(`select "lastChangeRequestNumber" as last from "Space" where id = $1`, [space.id]);
    expect(counters).toEqual([{ last: 8 }]);
  });

  test("creates and deletes pages with files; children of a deleted page move to the top", async () => {
    const { space, reader } = await world.space();
    const summary = "# All\n\n[First](b.md)\n- [`Second`](sub/c.md)\n  - [Third](a.md)\n  - [Lost](lost.md)\n";
    const blobs = {
      summary,
      a: "# A\n",
      b: "",
      c: "C\n",
      d: "Text\n\n## A heading ##\n",
      more: `${summary}- [Last](e.md)\n`,
    };
    const start = { "a.md": "a", "b.md": "b", "SUMMARY.md": "summary", "sub/c.md": "c", "d.md": "d" };
    const [one, other] = smallHistory().steps;
    if (one?.kind !== "edit" || other?.kind !== "edit") throw new Error("They are edits.");
    const steps = [
      { ...one, after: { "e.md": "a", "SUMMARY.md": "more" } },
      { ...other, after: { "sub/c.md": null, "b.md": "c" } },
    ];
    const loaded = await loadHistory(app.database, { start, steps, end: start, blobs }, { spaceId: space.id });
    expect(loaded.pages).toBe(5);
    const { space: found } = await app
      .as(reader.token)
      .query<{ space: { revisions: { nodes: { pages: Tree[] }[] } } }>(
        `query ($id: ID!) { space(id: $id) { revisions(first: 4) { nodes { pages { title path markdown pages { title path } } } } } }`,
        { id: space.id },
      );
    // The first one of the space has none.
    const revisions = found.revisions.nodes.filter(({ pages }) => pages.length > 0);
    const outlines = revisions.map(({ pages }) =>
      pages.map(({ title, path, pages: below }) => [title, path, ...below.map((page) => page.path)].join(" ")),
    );
    expect(outlines).toEqual([
      ["First b", "All summary", "A heading d", "Last e", "Third a"],
      ["First b", "Second sub-c sub-c/a", "All summary", "A heading d", "Last e"],
      ["First b", "Second sub-c sub-c/a", "All summary", "A heading d"],
    ]);
    expect(revisions[0]?.pages[0]?.markdown).toBe("C\n");
  });

  test("adds contributors as users and members with the role edit, and leaves existing ones unchanged", async () => {
    const { organization, space } = await world.space();
    await world.insert((more) => {
      const { id: userId } = addUser(more, { email: "ivo@example.com" });
      addMember(more, { organizationId: organization.id, userId, role: "read" });
    });
    const history = smallHistory();
    const steps = history.steps.map((step) => (step.author === "Bo" ? { ...step, author: "Ivo" } : step));
    await loadHistory(app.database, { ...history, steps }, { spaceId: space.id });
    const members = await rows(
      `select u.email, m.role from "OrganizationMember" m join "User" u on u.id = m."userId"
       where m."organizationId" = $1 and u.email in ('ivo@example.com', 'zoe-adler@example.com') order by 1`,
      [organization.id],
    );
    expect(members).toEqual([
      { email: "ivo@example.com", role: "read" },
      { email: "zoe-adler@example.com", role: "edit" },
    ]);
  });

  test("is refused for a missing or deleted space", async () => {
    const { space } = await world.space({ space: { deletedAt: new Date() } });
    const before = await countRows();
    for (const spaceId of [space.id, "spc_nothing"]) {
      await expect(loadHistory(app.database, smallHistory(), { spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await countRows()).toEqual(before);
  });
});
