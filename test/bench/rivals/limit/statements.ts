// The SQL of the limit: for each case the one statement that an engineer would write by hand who serves this request
// and nothing else.

export interface Statement {
  /**
   * `$1` is the hash of the token, `$2` the subject's id; `$3` and `$4` are the position to read after, in `page` only.
   */
  readonly text: string;
  /** `json`: one row with one column `body`, the answer as text. `rows`: rows with the columns of the answer. */
  readonly gives: "json" | "rows";
}

/**
 * The rows of `viewer` are empty unless the token is good and its user is a member, no guest, of the organization
 * `org`.
 */
const memberOf = (organization: string) => `
  select m.role, k."userId", m."organizationId" from "ApiToken" k join "OrganizationMember" m on m."userId" = k."userId"
  where k.hash = $1 and k."revokedAt" is null and (k."expiresAt" is null or k."expiresAt" > now())
    and m."organizationId" = ${organization} and not m.disabled and m.role is not null`;

/** Without the check the hash is still a parameter, so that both forms are called alike. */
const guard = (checked: boolean, organization: string) =>
  checked ? `exists (${memberOf(organization)})` : `$1::bytea is not null`;

const visibleSpace = `s."deletedAt" is null`;

// JSON is put together as text: twice as fast as json_agg and json_build_object here, and strings still pass through
// to_json.

/** JSON text of an object; each field is SQL for JSON text of its value. */
const object = (fields: Record<string, string>) =>
  `'{' || ${Object.entries(fields)
    .map(([name, value]) => `'"${name}":' || ${value}`)
    .join(" || ',' || ")} || '}'`;
/** A value that needs no escaping, such as an id. */
const quoted = (value: string) => `'"' || ${value} || '"'`;
const string = (value: string) => `to_json(${value})::text`;
const nodes = (item: Record<string, string>, from: string) =>
  `'{"nodes":[' || coalesce((select string_agg(${object(item)}, ',') from ${from}), '') || ']}'`;

const comments = nodes(
  {
    id: quoted("m.id"),
    postedAt: string(`m."postedAt"`),
    status: quoted("upper(m.status::text)"),
    body: object({ markdown: string("m.markdown") }),
  },
  `(select id, "postedAt", status, markdown from "Comment" where "changeRequestId" = c.id order by "postedAt" desc, id desc limit 5) m`,
);

const changeRequests = (more: Record<string, string>) =>
  nodes(
    {
      id: quoted("c.id"),
      number: "c.number",
      subject: string("c.subject"),
      status: quoted("upper(c.status::text)"),
      createdAt: string(`c."createdAt"`),
      ...more,
    },
    `(select * from "ChangeRequest" where "spaceId" = s.id and status = 'open' order by number desc limit 10) c`,
  );

const spaceFields = {
  id: quoted("s.id"),
  title: string("s.title"),
  emoji: string("s.emoji"),
  visibility: quoted("upper(s.visibility::text)"),
};
const spacesOf = (limit: number) =>
  `(select * from "Space" s where s."organizationId" = o.id and ${visibleSpace} order by s.id limit ${limit}) s`;

const organizationWithSpaces = (checked: boolean, more: Record<string, string>) => `
  select ${object({ data: object({ organization: object({ id: quoted("o.id"), title: string("o.title"), spaces: nodes({ ...spaceFields, ...more }, spacesOf(20)) }) }) })} as body
  from "Organization" o where o.id = $2 and ${guard(checked, "$2")}`;

const openComments = `(select count(*) from "Comment" c where c."spaceId" = s.id and c."changeRequestId" is null and c.status = 'open')::int`;
const counts = `${openComments} as "commentCount", r.*`;
const changeRequestCounts = `cross join lateral (
  select count(*)::int as "changeRequestCount", (count(*) filter (where status = 'open'))::int as "openChangeRequestCount",
    (count(*) filter (where status = 'draft'))::int as "draftChangeRequestCount"
  from "ChangeRequest" c where c."spaceId" = s.id) r`;

/**
 * The caller's role on space `s`: the nearest default level, else the role as a member, raised by grants to the caller
 * or their teams. `offset 0` has it computed once.
 */
const role = `cross join lateral (select case when v.role = 'admin' then v.role else greatest(
  coalesce(s."defaultLevel", (select c."defaultLevel" from "Collection" c where c.id = any(s.ancestors) and c."defaultLevel" is not null
    order by cardinality(c.ancestors) desc limit 1), v.role),
  (select max(g.role) from granted g where g."spaceId" = s.id or g."collectionId" = any(s.ancestors))) end as role offset 0) w`;
const viewer = (organization: string) => `viewer as materialized (${memberOf(organization)}),
  granted as materialized (
    select g."spaceId", g."collectionId", g.role from viewer v join "Grant" g on g."organizationId" = v."organizationId" and g."userId" = v."userId"
    union all
    select g."spaceId", g."collectionId", g.role from viewer v join "TeamMember" t on t."organizationId" = v."organizationId" and t."userId" = v."userId"
      join "Grant" g on g."teamId" = t."teamId")`;

const flag = (needed: string) => `(w.role >= '${needed}')::text`;
const permissions = object({
  view: "'true'",
  access: "'true'",
  admin: flag("admin"),
  viewInviteLinks: flag("admin"),
  edit: flag("edit"),
  triggerGitSync: flag("admin"),
  comment: flag("comment"),
  merge: flag("review"),
  review: flag("review"),
});

const countFields = {
  commentCount: openComments,
  changeRequestCount: `r."changeRequestCount"`,
  openChangeRequestCount: `r."openChangeRequestCount"`,
  draftChangeRequestCount: `r."draftChangeRequestCount"`,
};

function listWithCounts(checked: boolean): string {
  const fields = { ...spaceFields, ...countFields, ...(checked && { permissions }) };
  const spaces = nodes(fields, `${spacesOf(50)} ${changeRequestCounts} ${checked ? role : ""}`);
  const body = object({ data: object({ organization: object({ id: quoted("o.id"), spaces }) }) });
  return checked
    ? `with ${viewer("$2")} select ${body} as body from "Organization" o cross join viewer v where o.id = $2`
    : `select ${body} as body from "Organization" o where o.id = $2 and ${guard(false, "")}`;
}

const list = (item: Record<string, string>, from: string, order: string) =>
  `'[' || coalesce((select string_agg(${object(item)}, ',' order by ${order}) from ${from}), '') || ']'`;

/** What a visitor without claims is shown. Conditions all have the form `!has(visitor.claims.name)`. */
const shownOnSite = `shown as materialized (
    select x.*, x.id = first_value(x.id) over (partition by x."sectionId" order by x."isDefault" desc, x.position, x.id) as first
    from "SiteSpace" x join "Space" s on s.id = x."spaceId" and ${visibleSpace}
    where x."siteId" = $2 and (x.condition is null or not ('{}'::jsonb ? substring(x.condition from 'claims[.](.*)[)]')))),
  section as materialized (
    select x.*, x.id = first_value(x.id) over (order by x."isDefault" desc, x.position, x.id) as first
    from "SiteSection" x where x."siteId" = $2 and x.condition is null and exists (select from shown where shown."sectionId" = x.id))`;

const publishedSite = (checked: boolean): string => {
  const placed = { id: quoted("y.id"), title: string("y.title"), path: string("y.path"), isDefault: "y.first::text" };
  const siteSpaces = list(placed, `shown y where y."sectionId" = x.id`, "y.position, y.id");
  const section = { id: quoted("x.id"), title: string("x.title"), path: string("x.path"), isDefault: "x.first::text" };
  const sections = list({ ...section, siteSpaces }, `section x where x."sectionGroupId" = g.id`, "x.position, x.id");
  const sectionGroups = list(
    { id: quoted("g.id"), title: string("g.title"), sections },
    `"SiteSectionGroup" g where g."siteId" = $2 and exists (select from section x where x."sectionGroupId" = g.id)`,
    "g.position, g.id",
  );
  const first = `(select shown.id from shown join section on section.id = shown."sectionId" where section.first and shown.first)`;
  const shown = {
    siteId: quoted("t.id"),
    site: object({ title: string("t.title"), siteSpaceCount: "(select count(*) from shown)" }),
    defaultSiteSpace: object({ id: quoted(first) }),
    sectionGroups,
  };
  return `with ${shownOnSite} select ${object({ data: object({ publishedSite: object(shown) }) })} as body
    from "Site" t where t.id = $2 and t.published and t.visibility in ('public', 'unlisted') and ${guard(checked, `t."organizationId"`)}`;
};

const restColumns = `s.id, s.title, s.emoji, s.visibility::text, s."createdAt", s."updatedAt", s."editMode"::text, s."organizationId", s."parentId",
  s."revisionId", s."defaultLevel"::text, s."gitSync", s."visitorAuthBackend"::text, ${counts}`;

const restSpaces = (checked: boolean) => `with ${
  checked
    ? `parent as (select id, "organizationId" from "Collection" where id = $2),
  ${viewer(`(select "organizationId" from parent)`)}`
    : `parent as (select id from "Collection" where id = $2 and ${guard(false, "")})`
}
  select ${restColumns}, s.position, ${checked ? "w.role::text as role" : "null as role"},
    (select count(*)::int from "Space" s where s."parentId" = $2 and ${visibleSpace}) as total
  from parent p ${checked ? "cross join viewer v" : ""} cross join lateral (
    select * from "Space" s where s."parentId" = p.id and ${visibleSpace} order by s.position, s.id limit 51) s ${changeRequestCounts} ${checked ? role : ""}
  order by s.position, s.id`;

const restSpace = (
  checked: boolean,
) => `${checked ? `with ${viewer(`(select "organizationId" from "Space" where id = $2)`)}` : ""}
  select ${restColumns}, ${checked ? "w.role::text as role" : "null as role"}
  from "Space" s ${checked ? "cross join viewer v" : ""} ${changeRequestCounts} ${checked ? role : ""}
  where s.id = $2 and ${visibleSpace} and ${checked ? "true" : guard(false, "")}`;

const oneRow = (checked: boolean) => `select s.id, s.title, s.emoji, upper(s.visibility::text) as visibility
  from "Space" s where s.id = $2 and ${visibleSpace} and ${guard(checked, `s."organizationId"`)}`;

const page = (checked: boolean) => `select id, "postedAt", upper(status::text) as status, markdown from "Comment" c
  where c."changeRequestId" = $2 and (c."postedAt", c.id) < ($3::timestamptz, $4::text) and ${guard(
    checked,
    `(
    select s."organizationId" from "ChangeRequest" r join "Space" s on s.id = r."spaceId" where r.id = $2 and ${visibleSpace})`,
  )}
  order by c."postedAt" desc, c.id desc limit 6`;

/** Every statement by the path that serves it, with the check of the token or without. */
export function statements(checked: boolean): Record<string, Statement> {
  return {
    nested: { gives: "json", text: organizationWithSpaces(checked, { changeRequests: changeRequests({ comments }) }) },
    levels: { gives: "json", text: organizationWithSpaces(checked, { changeRequests: changeRequests({}) }) },
    counts: { gives: "json", text: listWithCounts(checked) },
    site: { gives: "json", text: publishedSite(checked) },
    row: { gives: "rows", text: oneRow(checked) },
    "rest-list": { gives: "rows", text: restSpaces(checked) },
    "rest-one": { gives: "rows", text: restSpace(checked) },
    page: { gives: "rows", text: page(checked) },
  };
}
