// Query plans of lists and trees over many rows: read from their index, in order, and no more rows than requested.
// The small size reads one of three pages of each list, from fewer rows.
import { beforeAll, expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { statementsOf, type Work, workOf } from "#test/support/plans.ts";
import type { People } from "#test/support/world.ts";
import { inTurn, sized } from "#test/support/runs.ts";

// Has its own database: checks plans over tables of a known size.
const { app, world } = await useApp({ own: true });
let people: People;
/** Values that documents refer to as `$space` and so on. */
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  const made = await world.changeRequest();
  ({ people } = made);
  const { space, changeRequest, editor, commenter, reader, reviewer } = made;
  ids = {
    organization: space.organizationId,
    space: space.id,
    changeRequest: changeRequest.id,
    revision: changeRequest.revisionId,
    editor: editor.id,
    commenter: commenter.id,
    reader: reader.id,
    reviewer: reviewer.id,
  };
  await fill();
}, 120_000);

const fillIds = (text: string) => text.replaceAll(/\$([a-z]+)\b/gi, (_match, name: string) => ids[name] ?? "");

/** SQL of an id that sorts by a number. */
const id = (prefix: string, number: string) => `'${prefix}_0' || lpad((${number})::text, 25, '0')`;

/** The small size divides the rows by this, which still leaves many times as many as a page has. */
const share = sized(5, 1);

/**
 * One space with 50,000 revisions and as many change requests, a change request with 5,000 revisions, 20,000 comments
 * on each of the two, and 50,000 reviews by one person, a tenth of them pending; and other spaces, change
 * requests and people with a tenth as much between them. The content of the revision of the change request has three
 * levels of 30 pages, among 60,000 pages of others.
 */
const rows = [
  `insert into "Revision" (id, "spaceId", type, "changeRequestId", "createdAt")
    select ${id("rev", "n")}, case when n <= ${55_000 / share} then '$space' else 'space' || n % 50 end, 'edits',
      case when n > ${50_000 / share} and n <= ${55_000 / share} then '$changeRequest' when n % 4 = 0 and n > ${55_000 / share} then 'changes' || n % 500 end,
      timestamptz '2026-01-01' + n * interval '1 minute'
    from generate_series(1, ${60_000 / share}) n`,
  // One in a thousand is by the commenter, half of the others are by the editor; one in twenty is a draft, and as many
  // are open.
  `insert into "ChangeRequest" (id, "spaceId", "organizationId", number, status, subject, "createdById", "revisionId", "revisionInitialId", "createdAt")
    select ${id("chr", "n")}, case when n <= ${50_000 / share} then '$space' else 'space' || n % 50 end,
      case when n <= ${50_000 / share} then '$organization' else 'org' || n % 10 end, n + 1,
      (case when n % 20 = 0 then 'open' when n % 20 = 1 then 'draft' else 'archived' end)::"ChangeRequestStatus", '',
      case when n > ${50_000 / share} then 'usr_' || n % 50 when n % 1000 = 7 then '$commenter' when n % 2 = 0 then '$editor' else 'usr_' || n % 50 end, '$revision', '$revision',
      timestamptz '2026-01-01' + n * interval '1 minute'
    from generate_series(1, ${55_000 / share}) n`,
  // Every seventh has the reader as another contributor.
  `insert into "ChangeRequestContributor" ("changeRequestId", "userId", "spaceId", number, status)
    select id, "createdById", "spaceId", number, status from "ChangeRequest" where subject = '' union all
    select id, '$reader', "spaceId", number, status from "ChangeRequest" where subject = '' and number % 7 = 0`,
  `insert into "Comment" (id, "spaceId", "organizationId", "changeRequestId", "postedById", markdown, status, "resolvedAt", "resolvedById", "pageId", "postedAt")
    select ${id("cmt", "n")}, case when n <= ${40_000 / share} then '$space' else 'space' || n % 50 end,
      case when n <= ${40_000 / share} then '$organization' else 'org' || n % 10 end, case when n % 2 = 0 then '$changeRequest' end,
      case when n <= ${40_000 / share} then '$commenter' else 'usr_' || n % 50 end, '', (case when n % 3 = 0 then 'resolved' else 'open' end)::"CommentStatus", case when n % 3 = 0 then now() end,
      case when n % 3 = 0 then '$editor' end, case when n % 5 > 0 then 'page' || n % 700 end, timestamptz '2026-01-01' + n * interval '1 minute'
    from generate_series(1, ${44_000 / share}) n`,
  `insert into "Review" (id, "changeRequestId", "reviewerId", status, "requestedById", "requestedAt", "reviewedAt", "revisionId")
    select ${id("rvw", "n")}, case when n <= ${50_000 / share} then ${id("chr", "n")} when n <= ${52_000 / share} then '$changeRequest' else 'changes' || n end,
      case when n <= ${50_000 / share} then '$reviewer' else 'usr_' || n end, (case when n % 10 = 0 then 'requested' else 'approved' end)::"ReviewStatus", '$editor',
      timestamptz '2026-01-01' + n * interval '1 minute', case when n % 10 > 0 then now() end, case when n % 10 > 0 then '$revision' end
    from generate_series(1, ${55_000 / share}) n`,
  `insert into "ContentTree" (hash, pages)
    select 'tree' || tree, array(select 'page' || tree || '-' || n from generate_series(1, 30) n) from generate_series(1, ${2_000 / share}) tree`,
  `insert into "ContentPage" (hash, "pageId", type, title, slug, "childrenHash", "createdAt", "updatedAt")
    select 'page' || tree || '-' || n, ${id("pag", "30 * tree + n")}, 'document', 'Page', 'page-' || n, case when n = 7 and tree < 3 then 'tree' || tree + 1 end, now(), now()
    from generate_series(1, ${2_000 / share}) tree, generate_series(1, 30) n`,
  `update "Revision" set "treeHash" = 'tree1' where id = '$revision'`,
];

async function fill(): Promise<void> {
  const client = await app.database.pool.connect();
  try {
    await client.query("set session_replication_role = replica"); // referenced rows in other tables do not exist
    for (const statement of rows) await client.query(fillIds(statement));
    await client.query("analyze");
    // The plans are generic, so the statistics must cover all rows.
    if (share > 1)
      await client.query(
        `select pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text, 'reltuples', (reltuples * $1)::real,
          'relpages', relpages) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
        [share],
      );
  } finally {
    await client.query("reset session_replication_role");
    client.release();
  }
}

/** A list: its parent, its field with arguments, and the index that it is read from. */
const lists: readonly [
  place: "$space" | "$changeRequest" | "$organization" | "$editor" | "$commenter" | "$reviewer" | null,
  field: string,
  index: string,
][] = [
  ["$space", "revisions", "Revision_of_space"],
  ["$changeRequest", "revisions", "Revision_spaceId_changeRequestId_createdAt_id_idx"],
  ["$space", "changeRequests", "ChangeRequest_spaceId_number_key"],
  ["$space", "changeRequests(statuses: [OPEN])", "ChangeRequest_spaceId_status_number_idx"],
  ["$space", 'changeRequests(contributorId: "$editor")', "ChangeRequestContributor_spaceId_userId_number_idx"],
  ["$space", 'changeRequests(contributorId: "$reader")', "ChangeRequestContributor_spaceId_userId_number_idx"],
  ["$space", 'changeRequests(contributorId: "$commenter")', "ChangeRequestContributor_spaceId_userId_number_idx"],
  [
    "$space",
    'changeRequests(statuses: [DRAFT], contributorId: "$editor")',
    "ChangeRequestContributor_spaceId_userId_status_number_idx",
  ],
  [
    "$space",
    'changeRequests(statuses: [MERGED], contributorId: "$editor")',
    "ChangeRequestContributor_spaceId_userId_status_number_idx",
  ],
  ["$space", "comments", "Comment_of_space"],
  ["$space", 'comments(pageId: "page1")', "Comment_of_page"],
  ["$space", "comments(status: RESOLVED)", "Comment_of_space_by_status"],
  ["$changeRequest", "comments", "Comment_changeRequestId_postedAt_id_idx"],
  ["$changeRequest", 'comments(pageId: "page2")', "Comment_of_page_in_change_request"],
  ["$changeRequest", "comments(status: OPEN)", "Comment_changeRequestId_status_postedAt_id_idx"],
  ["$changeRequest", "reviews", "Review_changeRequestId_id_idx"],
  [null, "reviewRequests", "Review_reviewerId_status_requestedAt_id_idx"],
  ["$organization", "changeRequests", "ChangeRequest_organizationId_createdAt_id_idx"],
  ["$organization", "changeRequests(statuses: [OPEN])", "ChangeRequest_organizationId_status_createdAt_id_idx"],
  [
    "$organization",
    'changeRequests(authorIds: ["$commenter"])',
    "ChangeRequest_organizationId_createdById_createdAt_id_idx",
  ],
  ["$organization", "comments", "Comment_organizationId_postedAt_id_idx"],
  ["$organization", "comments(status: RESOLVED)", "Comment_organizationId_status_postedAt_id_idx"],
  ["$editor", "changeRequests", "ChangeRequest_createdById_createdAt_id_idx"],
  ["$commenter", "comments", "Comment_postedById_postedAt_id_idx"],
  ["$reviewer", "reviewRequests", "Review_reviewerId_status_requestedAt_id_idx"],
];

const users = ["$editor", "$commenter", "$reviewer"];

/** A document that requests a page of a list, and the cursor at its end. */
function documentFor([place, field]: (typeof lists)[number], page: string): string {
  const [name = "", given = ""] = field.replace(")", "").split("(");
  const list = `${name}(${[given, page].filter(Boolean).join(", ")}) { pageInfo { endCursor } nodes { id } }`;
  if (place !== null && users.includes(place)) return fillIds(`{ node(id: "${place}") { ... on User { ${list} } } }`);
  return fillIds(place === null ? `{ ${list} }` : `{ ${place.slice(1)}(id: "${place}") { ${list} } }`);
}

/** The page a thousand rows deep in a list, or at its end. */
async function pageDeepIn(list: (typeof lists)[number]): Promise<string> {
  const data = await app.as(people.reviewer.token).query<object>(documentFor(list, "first: 1000"));
  const cursor = /"endCursor":"(.*?)"/.exec(JSON.stringify(data))?.[1];
  return cursor === undefined ? "first: 20" : `first: 20, after: "${cursor}"`;
}

const pages = ["first: 20", "last: 20", "deep"];

const numbered = lists.map((list, index) => [...list, index] as const);
test.each(numbered)("the list %s %s is read from its index with less than 200 rows", async (...given) => {
  const [place, field, index, number] = given;
  const list: (typeof lists)[number] = [place, field, index];
  const works: Work[] = [];
  for (const kind of inTurn(pages, number % 3, 3)) {
    const page = kind === "deep" ? await pageDeepIn(list) : kind;
    works.push(await workOf(app, people.reviewer, documentFor(list, page), statementsOf.lists));
  }
  for (const { indexes, rows: read } of works) {
    expect(indexes).toContain(index);
    expect(read).toBeLessThan(200);
  }
});

test("a tree of pages is read by primary keys with only its own rows", async () => {
  const document = fillIds(
    '{ node(id: "$revision") { ... on Revision { pages { pageId pages { pageId pages { pageId } } } } } }',
  );
  const { indexes, rows: read } = await workOf(app, people.reviewer, document, statementsOf.trees);
  expect(indexes.toSorted()).toEqual(["ContentPage_pkey", "ContentTree_pkey"]);
  expect(read).toBe(3 + 3 * 30);
});
