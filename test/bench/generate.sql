-- The data of the benchmark, made in the database, the same at every run: a docs platform that has been in use for two
-- years.
--
-- Rows of a kind are numbered in the order in which they came to be: the k-th change request of every space, then the
-- (k+1)-th, and so with comments. So the children of one parent lie scattered over the table, as they do where people
-- work in parallel.
--
-- Organizations 1 to 5 are the main data: 400 spaces each, 50 change requests a space, 10 comments a change request, 10
-- comments a space. Organizations 6 and 7 are for the growth case: the shape of case (a), 20 spaces x 10 change
-- requests; each change request has 10 comments in organization 6 and 10,000 in organization 7.

-- step: rules
-- Rows come in the wrong order for foreign keys (space and revision name each other), and checking costs minutes.
set session_replication_role = replica;
set synchronous_commit = off;
set work_mem = '256MB';
set maintenance_work_mem = '512MB';
set jit = off;

-- An id in the form of the application: 26 characters of base32, sorting by n, ending in noise as real ones do.
create or replace function bench_id(prefix text, n bigint) returns text language sql immutable parallel safe
  return prefix || '_01' || lpad(to_hex(n), 10, '0') || substr(md5(prefix || n::text), 1, 14);

-- A fractional index of the form that the application writes: b00, b01, ... bzz.
create or replace function bench_position(n bigint) returns text language sql immutable parallel safe
  return 'b' || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (n / 62)::int + 1, 1)
             || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (n % 62)::int + 1, 1);

-- The n-th entry of a list, round and round.
create or replace function bench_pick(list text[], n bigint) returns text language sql immutable parallel safe
  return list[(n % cardinality(list))::int + 1];

-- A number from 0 to m - 1 that looks random.
create or replace function bench_random(n bigint, m int) returns int language sql immutable parallel safe
  return ((n * 2654435761 % 4294967296) * m / 4294967296)::int;

-- step: people and organizations
insert into "User" (id, email, "displayName", "photoURL", "createdAt")
select bench_id('usr', n), 'person' || n || '@example.com',
  bench_pick('{Ada,Grace,Alan,Edsger,Barbara,Donald,Radia,Ken,Frances,Niklaus,Margaret}', n) || ' ' ||
  bench_pick('{Lovelace,Hopper,Turing,Liskov,Knuth,Perlman,Thompson,Allen,Wirth,Hamilton,Kay,Floyd,Hoare}', n),
  case when n % 3 = 0 then 'https://avatars.example.com/' || n || '.png' end,
  timestamptz '2024-01-01' + n * interval '1 hour'
from generate_series(1, 1500) n;

insert into "Organization" (id, title, hostname, "emailDomains", "createdAt")
select bench_id('org', n), case n when 6 then 'Growth, 10 comments' when 7 then 'Growth, 10,000 comments' else 'Organization ' || n end,
  'organization-' || n, array['organization' || n || '.example.com'], timestamptz '2024-01-01' + n * interval '1 day'
from generate_series(1, 7) n;

-- 300 members an organization; one in twelve is a guest. User 1 is the caller: edit in organizations 1, 6 and 7.
insert into "OrganizationMember" (id, "organizationId", "userId", role, "joinedAt", "lastSeenAt")
select bench_id('mem', (o - 1) * 300 + n), bench_id('org', o), bench_id('usr', (o - 1) * 300 + n),
  case when n = 1 then 'edit' when n % 12 = 0 then null else bench_pick('{edit,read,comment,edit,review,edit,create,read,edit,comment,admin}', n) end::"Role",
  timestamptz '2024-01-02' + n * interval '7 hours', timestamptz '2026-01-01' - n * interval '3 hours'
from generate_series(1, 5) o, generate_series(1, 300) n
union all
select bench_id('mem', 1500 + o), bench_id('org', o), bench_id('usr', 1), 'edit', timestamptz '2024-02-01', null from generate_series(6, 7) o;
insert into "MemberCount" ("organizationId", role, disabled, seen, count)
select "organizationId", role, disabled, "lastSeenAt" is not null, count(*) from "OrganizationMember" group by 1, 2, 3, 4;

insert into "ApiToken" (id, "userId", name, hash, "createdAt", "lastUsedAt")
select bench_id('tok', n), bench_id('usr', n), 'token', sha256(convert_to('not a token ' || n, 'UTF8')), timestamptz '2025-01-01', null
from generate_series(2, 1500) n;

insert into "Team" (id, "organizationId", title, "createdAt")
select bench_id('tem', (o - 1) * 10 + n), bench_id('org', o), bench_pick('{Docs,API,Support,Design,Platform,Mobile,Billing,Growth,Data,Security}', n), timestamptz '2024-02-01' + n * interval '1 day'
from generate_series(1, 5) o, generate_series(0, 9) n;

-- 30 members a team; the caller is in two of them.
insert into "TeamMember" (id, "teamId", "organizationId", "userId", role, "createdAt")
select bench_id('tmm', (o - 1) * 300 + n), bench_id('tem', (o - 1) * 10 + (n - 1) / 30), bench_id('org', o), bench_id('usr', (o - 1) * 300 + n),
  case when n % 30 = 2 then 'owner' else 'member' end::"TeamRole", timestamptz '2024-03-01' + n * interval '1 minute'
from generate_series(1, 5) o, generate_series(1, 300) n
union all
select bench_id('tmm', 1501), bench_id('tem', 4), bench_id('org', 1), bench_id('usr', 1), 'member', timestamptz '2024-03-02';

-- step: collections and spaces
-- 128 collections an organization: 8 at the top (0-7), 5 in each of them (8-47), 2 in each of those (48-127).
insert into "Collection" (id, "organizationId", "parentId", ancestors, title, description, "defaultLevel", position, "createdAt", "updatedAt")
select bench_id('col', o * 128 + n), bench_id('org', o),
  case when n >= 48 then bench_id('col', o * 128 + 8 + (n - 48) / 2) when n >= 8 then bench_id('col', o * 128 + (n - 8) / 5) end,
  case when n >= 48 then array[bench_id('col', o * 128 + ((n - 48) / 2) / 5), bench_id('col', o * 128 + 8 + (n - 48) / 2)]
       when n >= 8 then array[bench_id('col', o * 128 + (n - 8) / 5)] else '{}' end,
  'Collection ' || n, case when n % 2 = 0 then 'What the team knows about part ' || n end,
  case when n % 9 = 4 then bench_pick('{comment,read,review}', n) end::"Role",
  bench_position(n), timestamptz '2024-01-10' + n * interval '1 hour', timestamptz '2025-01-10' + n * interval '1 hour'
from generate_series(1, 5) o, generate_series(0, 127) n;

-- 400 spaces an organization; number n of organization o is space (n * 5 + o - 1). One in a hundred is deleted. 60 of
-- them (n % 20 in 3, 7, 11) stand in the first collection, one in ten at the top level, the others in the other
-- collections. The growth organizations have 20 spaces each (2000 to 2039), all at the top level.
insert into "Space" (id, "organizationId", "parentId", ancestors, title, emoji, visibility, "openToMembers", "editMode", "defaultLevel", position, "shareKey",
  "revisionId", "lastChangeRequestNumber", "visitorAuthBackend", "createdAt", "updatedAt", "deletedAt")
select bench_id('spc', s), bench_id('org', o), parent.id, case when parent.id is null then '{}' else parent.ancestors || parent.id end,
  bench_pick('{Guide,Handbook,API reference,Runbook,Changelog,Design notes,Onboarding}', n) || ' ' || n,
  bench_pick('{📘,🚀,🧭,🔧,📦,🎨,🌱,🔒}', n), visibility, visibility = 'private', case when n % 5 = 2 then 'locked' else 'live' end::"SpaceEditMode",
  case when n % 7 = 3 then bench_pick('{review,read,comment,edit}', n / 7) end::"Role", bench_position(200 + n),
  case when visibility = 'share_link' then substr(md5('share' || s), 1, 24) end,
  bench_id('rev', s), case when o <= 5 then 50 else 10 end,
  case when visibility = 'visitor_auth' then 'oidc' end::"VisitorAuthBackend",
  timestamptz '2024-01-15' + n * interval '1 hour', timestamptz '2025-12-15' + n * interval '10 minutes',
  case when o <= 5 and n % 100 = 8 then timestamptz '2026-01-01' end
from (
  select n * 5 + o - 1 as s, o, n from generate_series(1, 5) o, generate_series(0, 399) n
  union all
  select 2000 + (o - 6) * 20 + n, o, n from generate_series(6, 7) o, generate_series(0, 19) n
) numbered
left join "Collection" parent on o <= 5 and parent.id = case when n % 20 in (3, 7, 11) then bench_id('col', o * 128)
  when n % 10 <> 0 then bench_id('col', o * 128 + 1 + n % 127) end
cross join lateral (select (case when n % 10 = 5 then 'public' when n % 10 = 6 then 'unlisted' when n % 20 = 9 then 'share_link'
  when n % 20 = 19 then 'visitor_auth' when parent.id is null then 'private' else 'in_collection' end)::"SpaceVisibility" as visibility) v;

-- 200 grants on spaces to people and 60 to teams, 80 and 30 on collections, an organization.
insert into "Grant" (id, "organizationId", "userId", "teamId", "collectionId", "spaceId", role)
select bench_id('gra', row_number() over ()), bench_id('org', o), case when team is null then bench_id('usr', (o - 1) * 300 + 1 + person) end,
  bench_id('tem', (o - 1) * 10 + team), bench_id('col', o * 128 + collection), bench_id('spc', space * 5 + o - 1), (bench_pick('{review,edit,read,admin,comment,create}', place))::"Role"
from generate_series(1, 5) o, (
  select n as place, (n * 3) % 40 as person, null::int as team, null::int as collection, (n * 2) as space from generate_series(0, 199) n
  union all select n, null, n % 10, null, n * 6 + 1 from generate_series(0, 59) n
  union all select n, n % 40, null, (n * 7) % 128, null from generate_series(0, 79) n
  union all select n, null, n % 10, n * 4 + 2, null from generate_series(0, 29) n
) given;

-- step: sites
insert into "Site" (id, "organizationId", title, basename, hostname, published, "createdById", "createdAt")
select bench_id('sit', o), bench_id('org', o), 'Docs of organization ' || o, 'docs', 'docs' || o || '.example.com', true,
  bench_id('usr', (o - 1) * 300 + 11), timestamptz '2024-06-01'
from generate_series(1, 5) o;
insert into "SiteSectionGroup" (id, "siteId", title, position)
select bench_id('grp', o * 2 + n), bench_id('sit', o), 'Group ' || n, bench_position(n) from generate_series(1, 5) o, generate_series(0, 1) n;
insert into "SiteSection" (id, "siteId", "sectionGroupId", title, path, "isDefault", position)
select bench_id('sec', o * 8 + n), bench_id('sit', o), case when n > 3 then bench_id('grp', o * 2 + n % 2) end, 'Section ' || n, 'section-' || n, n = 0, bench_position(n)
from generate_series(1, 5) o, generate_series(0, 7) n;
insert into "SiteSpace" (id, "siteId", "sectionId", "spaceId", title, path, "isDefault", position)
select bench_id('ssp', o * 40 + n), bench_id('sit', o), bench_id('sec', o * 8 + n / 5), bench_id('spc', (n * 10 + 5) * 5 + o - 1), 'Space ' || n, 'space-' || n, n % 5 = 0, bench_position(n)
from generate_series(1, 5) o, generate_series(0, 39) n;

-- One large site: 5 groups of 10 sections of 4 spaces, with a condition on every other one, which holds for a visitor
-- who says nothing.
insert into "Site" (id, "organizationId", title, basename, published, "createdById", "createdAt")
values (bench_id('sit', 100), bench_id('org', 1), 'Large docs', 'large-docs', true, bench_id('usr', 11), timestamptz '2024-07-01');
insert into "SiteSectionGroup" (id, "siteId", title, position)
select bench_id('grp', 100 + n), bench_id('sit', 100), 'Group ' || n, bench_position(n * 20) from generate_series(0, 4) n;
insert into "SiteSection" (id, "siteId", "sectionGroupId", title, path, "isDefault", position)
select bench_id('sec', 1000 + n), bench_id('sit', 100), bench_id('grp', 100 + n / 10), 'Section ' || n, 'section-' || n, n = 7, bench_position(n / 10 * 20 + 1 + n % 10)
from generate_series(0, 49) n;
insert into "SiteSpace" (id, "siteId", "sectionId", "spaceId", title, path, condition, "isDefault", position)
select bench_id('ssp', 10000 + n), bench_id('sit', 100), bench_id('sec', 1000 + n / 4), bench_id('spc', (n * 2 + 1) * 5), 'Space ' || n, 'space-' || n,
  case when n % 2 = 1 then '!has(visitor.claims.beta' || n % 20 || ')' end, n % 4 = 2, bench_position(n)
from generate_series(0, 199) n;

-- step: revisions and change requests
-- Revision s (0 to 2039) is the content of space s; revision 10,000 + c belongs to change request c.
insert into "Revision" (id, "spaceId", type, "authorId", "createdAt")
select bench_id('rev', s), bench_id('spc', s), 'initial', bench_id('usr', 1 + s % 1500), timestamptz '2024-01-15' + s * interval '1 minute'
from generate_series(0, 2039) s;

-- Change request k (0 to 49) of space s is number k + 1; of ten, three are open, five merged, one draft, one archived.
create temporary table bench_change as
select k * 2000 + s as c, s, k, bench_pick('{merged,open,merged,draft,open,merged,archived,merged,open,merged}', k + s) as status from generate_series(0, 49) k, generate_series(0, 1999) s
union all
select 100000 + k * 40 + s - 2000, s, k, 'open' from generate_series(0, 9) k, generate_series(2000, 2039) s;

insert into "Revision" (id, "spaceId", type, parents, "authorId", "createdAt")
select bench_id('rev', 10000 + c), bench_id('spc', s), 'edits', array[bench_id('rev', s)], bench_id('usr', 1 + (c * 7) % 1500), timestamptz '2024-02-01' + c * interval '9 minutes'
from bench_change order by c;

insert into "ChangeRequest" (id, "spaceId", "organizationId", number, status, subject, "createdById", "createdAt", "updatedAt", "revisionId", "revisionInitialId", "revisionMergedAncestorId", "revisionMergedId")
select bench_id('chr', c), bench_id('spc', s), bench_id('org', case when s < 2000 then s % 5 + 1 else 6 + (s - 2000) / 20 end), k + 1, status::"ChangeRequestStatus",
  bench_pick('{Describe,Correct,Shorten,Translate,Rewrite,Add}', c) || ' ' || bench_pick('{the installation steps,the billing page,examples of paging,the error table,the glossary,links to the reference,the upgrade notes}', c / 3),
  bench_id('usr', 1 + (c * 7) % 1500), timestamptz '2024-02-01' + c * interval '9 minutes', timestamptz '2024-02-03' + c * interval '9 minutes',
  bench_id('rev', 10000 + c), bench_id('rev', s), case when status = 'merged' then bench_id('rev', s) end, case when status = 'merged' then bench_id('rev', 10000 + c) end
from bench_change order by c;

-- step: comments
create temporary table bench_index as
select indexdef, indexname from pg_indexes i
where tablename = 'Comment' and schemaname = 'public' and not exists (select from pg_constraint k where k.conname = i.indexname);
do $$ declare name text; begin
  for name in select indexname from bench_index loop execute format('drop index %I', name); end loop;
end $$;

-- Numbers 0 to 999,999: comment j of change request c is j * 100,000 + c. Numbers 1,000,000 to 1,019,999: on spaces.
-- 2,000,000 on: the growth organizations. One in twenty is resolved.
insert into "Comment" (id, "spaceId", "organizationId", "changeRequestId", "postedById", "postedAt", "editedAt", markdown, status, "resolvedAt", "resolvedById", "pageId", "revisionId")
select bench_id('cmt', n), bench_id('spc', s), bench_id('org', case when s < 2000 then s % 5 + 1 else 6 + (s - 2000) / 20 end), bench_id('chr', c), bench_id('usr', 1 + bench_random(n * 3, 1500)), posted, case when n % 17 = 0 then posted + interval '5 minutes' end,
  bench_pick('{Should this **section** say how to undo the step?,I would move the table below the example,The link to `settings.json` is broken in the second paragraph,Reads well now,Please mention the limit of 50 items}', bench_random(n, 5))
    || bench_pick('{"; see the _overview_ page for the wording that we use elsewhere."," because readers come here from the search page first."," - otherwise good to go, thank you!"}', bench_random(n * 7, 3)),
  case when resolved then 'resolved' else 'open' end::"CommentStatus", case when resolved then posted + interval '1 day' end,
  case when resolved then bench_id('usr', 1 + bench_random(n * 11, 1500)) end,
  case when n % 3 = 0 then bench_id('pag', s * 20 + n % 20) end, case when n % 3 = 0 then bench_id('rev', s) end
from (
  select j * 100000 + c as n, c, c % 2000 as s, timestamptz '2024-02-01' + (j * 100000 + c) * interval '57.131 seconds' as posted from generate_series(0, 9) j, generate_series(0, 99999) c
  union all
  select 1000000 + j * 2000 + s, null, s, timestamptz '2025-12-20' + (j * 2000 + s) * interval '7.019 seconds' from generate_series(0, 9) j, generate_series(0, 1999) s
  union all
  select 2000000 + j * 200 + i, 100000 + i / 20 * 40 + i % 20, 2000 + i % 20, timestamptz '2024-02-01' + (j * 200 + i) * interval '31.007 seconds' from generate_series(0, 9) j, generate_series(0, 199) i
  union all
  select 3000000 + j * 200 + i, 100000 + i / 20 * 40 + 20 + i % 20, 2020 + i % 20, timestamptz '2024-02-01' + (j * 200 + i) * interval '31.007 seconds' from generate_series(0, 9999) j, generate_series(0, 199) i
) numbered cross join lateral (select bench_random(n * 5, 20) = 7 as resolved) r;

-- step: indexes of comments
do $$ declare definition text; begin
  for definition in select indexdef from bench_index loop execute definition; end loop;
end $$;

-- step: replies and reactions
insert into "CommentReply" (id, "commentId", "postedById", "postedAt", markdown)
select bench_id('rpl', n), bench_id('cmt', n * 20), bench_id('usr', 1 + (n * 29) % 1500), timestamptz '2026-01-01' + n * interval '1 second', 'Agreed, changed in the next revision.'
from generate_series(0, 49999) n;
insert into "Reaction" (id, "commentId", "userId", emoji, "reactedAt")
select bench_id('rea', n), bench_id('cmt', n * 20 + 1), bench_id('usr', 1 + (n * 31) % 1500), bench_pick('{👍,🎉,👀}', n), timestamptz '2026-01-01' + n * interval '1 second'
from generate_series(0, 49999) n;

-- step: tidy up
drop table bench_change, bench_index;

-- step: numbers of spaces
insert into "SpaceCount" ("spaceId", "changeRequests", "openChangeRequests", "draftChangeRequests", "openComments")
select s.id, n."all", n."open", n."draft",
  (select count(*) from "Comment" m where m."spaceId" = s.id and m."changeRequestId" is null and m.status = 'open')
from "Space" s cross join lateral (
  select count(*) as "all", count(*) filter (where r.status = 'open') as "open", count(*) filter (where r.status = 'draft') as "draft"
  from "ChangeRequest" r where r."spaceId" = s.id) n;
set session_replication_role = default;
