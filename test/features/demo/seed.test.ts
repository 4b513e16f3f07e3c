// The demo contains everything that it promises, readable by its admin.
import { beforeAll, describe, expect, test } from "vitest";
import { seedDemo } from "#src/demo/seed.ts";
import { readDoc, readNavigation } from "#src/base/documentation.ts";
import { checkEvents, checkOrder, checkRetention } from "#test/features/demo/activity.ts";
import { useApp } from "#test/support/app.ts";

// Has its own database: the demo is created once per database.
const { app } = await useApp({ own: true });
let token: string;

beforeAll(async () => {
  ({ token } = await seedDemo(app, new Date(0))); // with all its events, on whatever day this runs
});

const navigation = await readNavigation();
const headings = await Promise.all(
  navigation.pages.map(async (page) => /^# (.+)$/m.exec(await readDoc(page))?.[1] ?? ""),
);

/** The rows of a query; for a query with a single column its values. */
async function rows<Row extends object>(text: string): Promise<Row[]> {
  return (await app.database.pool.query<Row>(text)).rows;
}

async function values(text: string): Promise<unknown[]> {
  return (await rows<object>(text)).flatMap((row) => Object.values(row));
}

/** All values of an enum in the database. */
function everyValueOf(name: string): Promise<unknown[]> {
  return values(`select unnest(enum_range(null::"${name}"))::text order by 1`);
}

describe("people of the demo", () => {
  test("all have addresses at example.com, and one of them is in both organizations", async () => {
    expect(await values(`select count(*)::int from "User" where email not like '%@example.com'`)).toEqual([0]);
    expect(await values(`select count(*)::int from "Organization"`)).toEqual([2]);
    expect(
      await values(
        `select email from "User" u join "OrganizationMember" m on m."userId" = u.id group by 1 having count(*) > 1`,
      ),
    ).toEqual(["mara.lindqvist@example.com"]);
  });

  test("have every role, as members, disabled members, and guests with and without a grant", async () => {
    const roles = await values(
      `select distinct role::text from "OrganizationMember" where role is not null and not disabled order by 1`,
    );
    expect(roles).toEqual(await everyValueOf("Role"));
    const guests = `from "OrganizationMember" m where role is null and (
      exists (select from "Grant" g where g."userId" = m."userId")
      or exists (select from "Grant" g join "TeamMember" t using ("teamId") where t."userId" = m."userId")) = `;
    expect(await values(`select count(*)::int ${guests} true`)).toEqual([2]);
    expect(await values(`select count(*)::int ${guests} false`)).toEqual([1]);
    expect(await values(`select count(*)::int from "OrganizationMember" where disabled`)).toEqual([1]);
  });

  test("are in teams with owners and members, which have roles on collections and spaces", async () => {
    expect(await values(`select distinct role::text from "TeamMember" order by 1`)).toEqual(["member", "owner"]);
    const grants =
      await rows(`select bool_or("spaceId" is not null) as space, bool_or("collectionId" is not null) as collection
      from "Grant" where "teamId" is not null`);
    expect(grants).toEqual([{ space: true, collection: true }]);
  });
});

describe("content of the demo", () => {
  test("is in collections three levels deep, with default levels on each level and correct ancestors", async () => {
    expect(
      await values(
        `select distinct cardinality(ancestors) + 1 as level from "Collection" where "defaultLevel" is not null order by 1`,
      ),
    ).toEqual([1, 2, 3]);
    const strays = (
      table: string,
    ) => `select count(*)::int from "${table}" t left join "Collection" p on p.id = t."parentId"
      where t.ancestors <> case when p.id is null then '{}' else p.ancestors || p.id end`;
    expect(await values(strays("Collection"))).toEqual([0]);
    expect(await values(strays("Space"))).toEqual([0]);
  });

  test("is ordered: no two siblings share a position", async () => {
    const twins = await rows(`select "organizationId", "parentId", position from
      (select "organizationId", "parentId", position from "Collection" union all select "organizationId", "parentId", position from "Space") item
      group by 1, 2, 3 having count(*) > 1`);
    expect(twins).toEqual([]);
  });

  test("has at least a dozen spaces, of every visibility and edit mode, one of them deleted within the last week", async () => {
    expect(await values(`select distinct visibility::text from "Space" order by 1`)).toEqual(
      await everyValueOf("SpaceVisibility"),
    );
    expect(await values(`select distinct "editMode"::text from "Space" order by 1`)).toEqual(
      await everyValueOf("SpaceEditMode"),
    );
    const [space] = await rows(`select count(*)::int >= 12 as enough, count("shareKey")::int as shared,
      count(*) filter (where "deletedAt" > now() - interval '7 days')::int as deleted from "Space"`);
    expect(space).toEqual({ enough: true, shared: 1, deleted: 1 });
  });

  test("has revisions whose parents exist, are older, and belong to the same space", async () => {
    const orphans =
      await rows(`select r.id from "Revision" r, unnest(r.parents) parent left join "Revision" p on p.id = parent
      where p.id is null or p."spaceId" <> r."spaceId" or p."createdAt" > r."createdAt"`);
    expect(orphans).toEqual([]);
    expect(
      await values(
        `select count(*)::int from "Space" s join "Revision" r on r.id = s."revisionId" where r."spaceId" <> s.id`,
      ),
    ).toEqual([0]);
    expect(await values(`select distinct type::text from "Revision" order by 1`)).toEqual([
      "edits",
      "initial",
      "merge",
      "update",
    ]);
  });
});

describe("pages of the demo", () => {
  interface Page {
    readonly pageId: string;
    readonly markdown: string | null;
    readonly pages?: readonly Page[];
  }
  interface Content {
    readonly pages: readonly Page[];
  }
  interface Answer {
    readonly organizations: {
      readonly nodes: readonly {
        readonly spaces: {
          readonly nodes: readonly {
            readonly title: string;
            readonly content: Content;
            readonly changeRequests: {
              readonly nodes: readonly { readonly subject: string; readonly content: Content }[];
            };
          }[];
        };
      }[];
    };
  }
  const pagesOf = ({ pages }: Content) => pages.flatMap((page) => [page, ...(page.pages ?? [])]);
  let spaces: Answer["organizations"]["nodes"][number]["spaces"]["nodes"];
  beforeAll(async () => {
    const content = "content { pages { pageId markdown pages { pageId markdown } } }";
    const answer = await app
      .as(token)
      .query<Answer>(
        `{ organizations { nodes { spaces { nodes { title ${content} changeRequests { nodes { subject ${content} } } } } } } }`,
      );
    spaces = answer.organizations.nodes.flatMap(({ spaces: { nodes } }) => nodes);
  });

  test("exist in every space, nested, with tables, code, and links to existing pages", () => {
    expect(spaces.filter(({ content }) => content.pages.length === 0)).toEqual([]);
    const contents = spaces.flatMap(({ content, changeRequests }) => [
      content,
      ...changeRequests.nodes.map((one) => one.content),
    ]);
    for (const content of contents) {
      const ids = new Set(pagesOf(content).map(({ pageId }) => pageId));
      const links = pagesOf(content).flatMap(({ markdown }) => [...(markdown ?? "").matchAll(/\(page:(pag_\w+)/g)]);
      expect(links.map(([, id = ""]) => id).filter((id) => !ids.has(id))).toEqual([]);
    }
    const texts = contents.flatMap(pagesOf).map(({ markdown }) => markdown ?? "");
    for (const form of [/^\| --/m, /^```/m, /\(page:pag_/, /^- \[ \]/m, /!\[/])
      expect(
        texts.some((text) => form.test(text)),
        String(form),
      ).toBe(true);
  });

  test("are those of the documentation in the docgraph manual, in the order of its navigation and linked", () => {
    const manual = spaces.find(({ title }) => title === "docgraph manual");
    const made = manual ? pagesOf(manual.content) : [];
    const texts = made.flatMap(({ markdown }) => markdown ?? []).filter((text) => text !== "");
    expect(texts.map((text) => /^# (.+)$/m.exec(text)?.[1])).toEqual(headings);
    expect(
      texts.filter((text) => /\]\([^)\s]*\.md[)#]/.test(text.replaceAll(/^```[^]*?^```|`[^`\n]+`/gm, ""))),
    ).toEqual([]);
    expect(texts.filter((text) => /\]\(\//.test(text))).toEqual([]);
    const published = `select s.path from "SiteSpace" s join "Space" p on p.id = s."spaceId" where p.title = 'docgraph manual'`;
    return expect(values(published)).resolves.toEqual(["docgraph"]);
  });

  test("use variables and reusable contents, all of which exist", async () => {
    const content = "content { pages { markdown(evaluated: true) pages { markdown(evaluated: true) } } }";
    const { organizations } = await app
      .as(token)
      .query<Answer>(
        `{ organizations { nodes { spaces { nodes { title ${content} changeRequests { nodes { ${content} } } } } } } }`,
      );
    const all = organizations.nodes
      .flatMap(({ spaces: { nodes } }) => nodes)
      .filter(({ title }) => title !== "docgraph manual"); // it shows how variables are written
    const texts = all
      .flatMap(({ content: main, changeRequests }) => [main, ...changeRequests.nodes.map((one) => one.content)])
      .flatMap(pagesOf)
      .map(({ markdown }) => markdown ?? "");
    expect(texts.filter((text) => text.includes("{{"))).toEqual([]);
    for (const value of ["support@harbour.example.com", "Download version 4.2", "**Switch off the power.**"])
      expect(
        texts.some((text) => text.includes(value)),
        value,
      ).toBe(true);
  });

  test("are changed by every change request", async () => {
    const unchanged = await values(`select c.subject from "ChangeRequest" c join "Revision" r on r.id = c."revisionId"
      join "Revision" i on i.id = coalesce(c."revisionMergedAncestorId", c."revisionInitialId") where r."treeHash" = i."treeHash"`);
    expect(unchanged).toEqual([]);
  });
});

describe("reviews and comments of the demo", () => {
  test("include change requests in every status, up to date and outdated, numbered per space", async () => {
    expect(await values(`select distinct status::text from "ChangeRequest" order by 1`)).toEqual(
      await everyValueOf("ChangeRequestStatus"),
    );
    const miscounted = await rows(`select s.id from "Space" s left join "ChangeRequest" c on c."spaceId" = s.id
      group by 1 having s."lastChangeRequestNumber" <> coalesce(max(c.number), 0) or count(c.id) <> coalesce(max(c.number), 0)`);
    expect(miscounted).toEqual([]);
    const { space } = await app
      .as(token)
      .query<{ space: { changeRequests: { nodes: { outdated: boolean }[] } } }>(
        `query ($id: ID!) { space(id: $id) { changeRequests(statuses: [OPEN]) { nodes { outdated } } } }`,
        { id: (await values(`select id from "Space" where title = 'Getting started'`))[0] },
      );
    expect(space.changeRequests.nodes.map(({ outdated }) => outdated)).toEqual([false, true]);
  });

  test("include reviews of every status by people other than the author, given after their request, and pending ones for the admin", async () => {
    expect(await values(`select distinct status::text from "Review" order by 1`)).toEqual(
      await everyValueOf("ReviewStatus"),
    );
    const wrong = await rows(`select rv.id from "Review" rv join "ChangeRequest" c on c.id = rv."changeRequestId"
      where rv."reviewerId" = c."createdById" or rv."requestedAt" < c."createdAt" or rv."reviewedAt" < coalesce(rv."requestedAt", c."createdAt")`);
    expect(wrong).toEqual([]);
    const document = "{ reviewRequests { nodes { changeRequest { reviewStatus reviews { nodes { outdated } } } } } }";
    const { reviewRequests } = await app
      .as(token)
      .query<{ reviewRequests: { nodes: { changeRequest: object }[] } }>(document);
    expect(reviewRequests.nodes.map(({ changeRequest }) => changeRequest)).toMatchObject([
      { reviewStatus: "PENDING" },
      {
        reviewStatus: "CHANGES_REQUESTED",
        reviews: { nodes: [{ outdated: true }, { outdated: false }, { outdated: false }] },
      },
    ]);
  });

  test("include comments on spaces, change requests and every kind of target, with replies and reactions, open and resolved", async () => {
    const [comments] =
      await rows(`select count(*) filter (where "changeRequestId" is null) > 0 as space, count("changeRequestId") > 0 as change,
      count("nodeId") > 0 as node, count("tableCellRecord") > 0 as cell, count("pageId") > 0 as page, count("reviewId") > 0 as review, count("editedAt") > 0 as edited,
      count("resolvedById") > 0 as resolved, count(*) filter (where status = 'open') > 0 as open from "Comment"`);
    expect(new Set(Object.values(comments ?? {}))).toEqual(new Set([true]));
    const [reactions] = await rows(
      `select count("commentId") > 0 as comments, count("replyId") > 0 as replies from "Reaction"`,
    );
    expect(reactions).toEqual({ comments: true, replies: true });
  });

  test("mention people who may see them, including the admin", async () => {
    const named =
      await rows(`select m."userId" from "Mention" m join "Comment" c on c.id = m."commentId" left join "CommentReply" r on r.id = m."replyId"
      where position('(user:' || m."userId" || ')' in coalesce(r.markdown, c.markdown)) > 0`);
    expect(named).toHaveLength(2);
    const { viewer } = await app
      .as(token)
      .query<{ viewer: { mentions: { totalCount: number } } }>("{ viewer { mentions { totalCount } } }");
    expect(viewer.mentions.totalCount).toBe(1);
  });

  test("are in chronological order: replies and resolutions follow comments, comments follow the opening", async () => {
    const early =
      await rows(`select c.id from "Comment" c left join "ChangeRequest" r on r.id = c."changeRequestId" left join "CommentReply" a on a."commentId" = c.id
      where c."postedAt" < r."createdAt" or a."postedAt" < c."postedAt" or c."resolvedAt" < c."postedAt" or r."updatedAt" < r."createdAt"`);
    expect(early).toEqual([]);
  });

  test("are by people in the organization", async () => {
    const strangers = await rows(`select said."userId" from (
        select "spaceId", "postedById" as "userId" from "Comment" union select "spaceId", "createdById" from "ChangeRequest"
        union select "spaceId", "authorId" from "Revision" where "authorId" is not null
        union select c."spaceId", rv."reviewerId" from "Review" rv join "ChangeRequest" c on c.id = rv."changeRequestId"
        union select c."spaceId", a."postedById" from "CommentReply" a join "Comment" c on c.id = a."commentId"
      ) said join "Space" s on s.id = said."spaceId"
      left join "OrganizationMember" m on m."organizationId" = s."organizationId" and m."userId" = said."userId" where m.id is null`);
    expect(strangers).toEqual([]);
  });
});

describe("sites of the demo", () => {
  test("are one with sections and groups and one without, each with a default page", async () => {
    const sites =
      await rows(`select t.title, (select count(*)::int from "SiteSectionGroup" g where g."siteId" = t.id) as groups,
        (select count(*)::int from "SiteSection" s where s."siteId" = t.id) as sections,
        (select count(*)::int from "SiteSpace" s where s."siteId" = t.id) as spaces,
        (select count(*)::int from "SiteSpace" s where s."siteId" = t.id and "isDefault") as defaults
      from "Site" t order by 1`);
    expect(sites).toEqual([
      { title: "Harbour Instruments documentation", groups: 2, sections: 4, spaces: 7, defaults: 4 },
      { title: "Open Tide", groups: 0, sections: 0, spaces: 3, defaults: 1 },
      { title: "Partner portal", groups: 0, sections: 0, spaces: 1, defaults: 1 },
    ]);
  });

  test("belong to organizations whose default content is a site or a space", async () => {
    const defaults = `select o.title, t.title as site, s.title as space from "Organization" o
      left join "Site" t on t.id = o."defaultSiteId" left join "Space" s on s.id = o."defaultSpaceId" order by 1`;
    expect(await rows(defaults)).toEqual([
      { title: "Harbour Instruments", site: "Harbour Instruments documentation", space: null },
      { title: "Open Tide", site: null, space: "User manual" },
    ]);
  });
});

describe("activity of the demo", () => {
  test("lists the events of the stories like those of user actions", () => checkEvents(app, token));
  test("has one event for each object, by its author, in chronological order", () => checkOrder(app));
  test("is written for the retention period of activity", () => checkRetention(app));
});

test("the token of the demo is for its admin, who sees both organizations", async () => {
  const data = await app
    .as(token)
    .query<object>(`{ viewer { email } organizations { nodes { title permissions { admin } } } }`);
  expect(data).toMatchObject({
    viewer: { email: "mara.lindqvist@example.com" },
    organizations: {
      nodes: [
        { title: "Harbour Instruments", permissions: { admin: true } },
        { title: "Open Tide", permissions: { admin: false } },
      ],
    },
  });
});

test("seeding the demo twice is refused and changes nothing", async () => {
  const count = `select count(*)::int from "User" union all select count(*)::int from "Space" union all select count(*)::int from "ApiToken"`;
  const before = await values(count);
  await expect(seedDemo(app)).rejects.toThrow(/unique constraint|already exists/i);
  expect(await values(count)).toEqual(before);
});
