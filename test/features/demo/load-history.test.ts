// Loading a history: what the sample book becomes, and what is refused with nothing changed.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type History, readHistory } from "#src/demo/history-file.ts";
import { cutSubject } from "#src/demo/history-rows.ts";
import { loadHistory } from "#src/demo/load-history.ts";
import { type TestApp, testApp } from "#test/support/app.ts";
import { bookHistory } from "#test/support/samples.ts";
import { createWorld, type World } from "#test/support/world.ts";
import { addMember } from "#test/features/members/factory.ts";
import { addUser } from "#test/features/users/factory.ts";

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await testApp();
  world = createWorld(app.database);
});
afterAll(() => app.close());

async function rows<Row extends object>(text: string, parameters: unknown[] = []): Promise<Row[]> {
  return (await app.database.pool.query<Row>(text, parameters)).rows;
}

/** How many rows there are of everything that loading writes. */
function everythingCounted() {
  return rows(`select (select count(*)::int from "User") as users, (select count(*)::int from "OrganizationMember") as members,
    (select count(*)::int from "Revision") as revisions, (select count(*)::int from "ChangeRequest") as changes,
    (select count(*)::int from "Comment") as comments, (select json_agg(s."revisionId" order by id) from "Space" s) as active`);
}

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

/** Two edits around the start of a change request, and two change requests without numbers. */
function smallHistory(): History {
  const edit = (subject: string, number: number) => ({
    kind: "edit" as const,
    subject,
    author: "Zoë Adler",
    date: day(number),
    after: {},
  });
  const change = (subject: string, author: string, startedAfter: number, number: number) => ({
    kind: "changeRequest" as const,
    subject,
    author,
    startedAfter,
    date: day(number),
    after: {},
    edits: {},
    merges: "cleanly" as const,
  });
  const steps = [
    edit("Before it starts", 1),
    edit("While it is open", 2),
    change("Made out of sight", "Bo", 0, 3),
    { ...change("Numbered", "Bo", 3, 4), number: 7 },
    edit("Too late", 5),
  ];
  return { start: {}, steps, end: {}, blobs: {} };
}

describe.skipIf(!bookHistory)("the book", () => {
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

  test("brings 66 merged change requests with their numbers, subjects, contributors and dates", async () => {
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

  test("brings the edits made between start and merge as comments", async () => {
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

  test("leaves a main content with a revision for each step, of which the last is the active one", async () => {
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
    const times = main.slice(1).map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  test("shows in the nested query, to a reader of the space", async () => {
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
        `query ($id: ID!) { space(id: $id) { changeRequests(first: 3, status: MERGED) { totalCount nodes { number outdated comments { totalCount } } } } }`,
        { id: spaceId },
      );
    expect(space.changeRequests.totalCount).toBe(66);
    expect(space.changeRequests.nodes.map(({ number, outdated }) => [number, outdated])).toEqual([
      [2385, false],
      [2384, false],
      [2383, false],
    ]);
  });

  test("tells its progress to the end", () => {
    const total = 1 + 120 + 66 + 66 + 272;
    expect(progress.at(-1)).toEqual([total, total]);
  });

  test("is refused the second time, with nothing changed", async () => {
    const before = await everythingCounted();
    await expect(loadHistory(app.database, history, { spaceId })).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(/1992, 2098, 2117 and 63 more/) as string, // the matcher has no type of its own
    });
    expect(await everythingCounted()).toEqual(before);
  });
});

describe("a small history", () => {
  test("counts on from its highest number, and comments only what came between", async () => {
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

  test("makes contributors users and members with the role edit, and leaves those who are there as they are", async () => {
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

  test("is refused for a space that is not there, or is deleted", async () => {
    const { space } = await world.space({ space: { deletedAt: new Date() } });
    const before = await everythingCounted();
    for (const spaceId of [space.id, "spc_nothing"]) {
      await expect(loadHistory(app.database, smallHistory(), { spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await everythingCounted()).toEqual(before);
  });
});

describe("subjects", () => {
  test("of up to 100 characters stay, on one line", () => {
    expect(cutSubject("🦀".repeat(100))).toBe("🦀".repeat(100));
    expect(cutSubject(" two\n lines ")).toBe("two lines");
  });

  test("are cut to 100 characters between whole ones, with an ellipsis", () => {
    expect(cutSubject("a".repeat(101))).toBe(`${"a".repeat(99)}…`);
    const family = "👨‍👩‍👧"; // one character to people, five code points to the database
    expect(cutSubject(family.repeat(30))).toBe(`${family.repeat(19)}…`);
  });
});

describe("a file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "docgraph-history-"));
    return () => rm(folder, { recursive: true });
  });

  async function refusalOf(content: string | Buffer | null): Promise<unknown> {
    const path = join(folder, "history.json.gz");
    if (content !== null) await writeFile(path, content);
    return readHistory(path).then(
      () => "read",
      (error: unknown) => error,
    );
  }
  const invalid = (message: RegExp): unknown =>
    expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringMatching(message) });

  test("that is missing, no gzip, cut off, or no JSON is refused by name", async () => {
    expect(await refusalOf(null)).toEqual(invalid(/history\.json\.gz cannot be read/));
    expect(await refusalOf("plain")).toEqual(invalid(/is not a gzip file, or a broken one/));
    expect(await refusalOf(gzipSync("{}").subarray(0, 12))).toEqual(invalid(/is not a gzip file, or a broken one/));
    expect(await refusalOf(gzipSync("{"))).toEqual(invalid(/holds no JSON/));
  });

  test("of another form is refused, saying where", async () => {
    const [first, ...steps] = smallHistory().steps;
    const refuse = (changed: object) => refusalOf(gzipSync(JSON.stringify({ ...smallHistory(), ...changed })));
    expect(await refuse({ blobs: undefined })).toEqual(invalid(/blobs: /));
    expect(await refuse({ steps: [{ ...first, date: "soon" }, ...steps] })).toEqual(invalid(/steps\.0\.date: /));
    expect(await refuse({ steps: [{ ...first, subject: "\0" }, ...steps] })).toEqual(
      invalid(/steps\.0\.subject: .*cannot be stored/),
    );
    expect(
      await refuse({ steps: [...steps, first].toReversed().filter((step) => step?.kind === "changeRequest") }),
    ).toEqual(invalid(/startedAfter: must not be later/));
    const twice = steps.map((step) => (step.kind === "edit" ? step : { ...step, number: 7 }));
    expect(await refuse({ steps: [first, ...twice] })).toEqual(invalid(/7 stands at two change requests/));
    expect(await refuse({})).toBe("read");
  });
});
