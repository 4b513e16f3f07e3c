-- One organization far beyond the usual: a million members, 100,000 spaces, 100,000 change requests in one of them,
-- 6,000 teams of which one person is in 5,000, a collection with 10,050 collections below it, and 25,000 reviews that
-- one person is asked for. Member 1 is an admin, member 2 the one in the teams and asked for the reviews.

-- step: rules
set session_replication_role = replica;
set synchronous_commit = off;
set work_mem = '256MB';
set maintenance_work_mem = '512MB';
set jit = off;
create or replace function size_id(prefix text, n bigint) returns text language sql immutable parallel safe
  return prefix || '_01' || lpad(to_hex(n), 10, '0') || substr(md5(prefix || n::text), 1, 14);
create or replace function size_pick(list text[], n bigint) returns text language sql immutable parallel safe
  return list[(n % cardinality(list))::int + 1];
create or replace function size_position(n bigint) returns text language sql immutable parallel safe
  return 'b' || lpad(to_hex(n), 8, '0') || '1';

-- step: people
insert into "Organization" (id, title, hostname, "emailDomains", "createdAt")
values (size_id('org', 1), 'Large', 'large', '{large.example.com}', '2024-01-01');
insert into "User" (id, email, "displayName", "createdAt")
select size_id('usr', n), 'person' || n || '@example.com',
  size_pick('{Ada,Grace,Alan,Edsger,Barbara,Donald,Radia,Ken,Frances,Niklaus,Margaret}', n) || ' ' || initcap(translate(to_hex(n::bigint * 7919), '0123456789', 'ghijklmnop')),
  timestamptz '2024-01-01' + n * interval '30 seconds'
from generate_series(1, 1000000) n;
insert into "OrganizationMember" (id, "organizationId", "userId", role, disabled, "joinedAt", "lastSeenAt", "sortName")
select size_id('mem', n), size_id('org', 1), size_id('usr', n),
  case when n = 1 then 'admin' when n = 2 then 'edit' when n % 100000 = 7 then 'admin' when n % 12 = 0 then null
    else size_pick('{edit,read,comment,read,review,read}', n) end::"Role",
  n % 500 = 3, timestamptz '2024-01-02' + n * interval '30 seconds', timestamptz '2026-01-01' - n * interval '20 seconds',
  (select lower(u."displayName") from "User" u where u.id = size_id('usr', n))
from generate_series(1, 1000000) n;
insert into "MemberCount" ("organizationId", role, disabled, seen, count)
select "organizationId", role, disabled, "lastSeenAt" is not null, count(*) from "OrganizationMember" group by 1, 2, 3, 4;
insert into "Team" (id, "organizationId", title, "createdAt")
select size_id('tem', n), size_id('org', 1), 'Team ' || n, timestamptz '2024-02-01' + n * interval '1 minute' from generate_series(1, 6000) n;
insert into "TeamMember" (id, "teamId", "organizationId", "userId", role, "createdAt", "sortName")
select size_id('tmm', n), size_id('tem', n), size_id('org', 1), size_id('usr', 2), 'member', timestamptz '2024-03-01' + n * interval '1 minute',
  (select lower(u."displayName") from "User" u where u.id = size_id('usr', 2))
from generate_series(1, 5000) n;

-- step: collections and spaces
-- Collection 1 has 50 collections of 200 each in it.
insert into "Collection" (id, "organizationId", "parentId", ancestors, title, position, "createdAt", "updatedAt")
select size_id('col', n), size_id('org', 1),
  case when n > 53 then size_id('col', 4 + (n - 54) / 200) when n > 3 then size_id('col', 1) end,
  case when n > 53 then array[size_id('col', 1), size_id('col', 4 + (n - 54) / 200)] when n > 3 then array[size_id('col', 1)] else '{}' end,
  'Collection ' || n, size_position(n), timestamptz '2024-01-10' + n * interval '1 minute', timestamptz '2025-01-10' + n * interval '1 minute'
from generate_series(1, 10053) n;
insert into "Space" (id, "organizationId", ancestors, title, emoji, visibility, "openToMembers", "editMode", position, "revisionId", "lastChangeRequestNumber", "createdAt", "updatedAt")
select size_id('spc', n), size_id('org', 1), '{}', size_pick('{Guide,Handbook,Runbook,Changelog,Notes}', n) || ' ' || n, '📘',
  case when n % 10 = 5 then 'public' else 'private' end::"SpaceVisibility", n % 3 <> 1, 'live', size_position(20000 + n), size_id('rev', n), case when n = 2 then 100000 else 0 end,
  timestamptz '2024-01-15' + n * interval '1 minute', timestamptz '2025-12-15' + n * interval '10 seconds'
from generate_series(1, 100000) n;
insert into "Revision" (id, "spaceId", type, "authorId", "createdAt")
select size_id('rev', n), size_id('spc', n), 'initial', size_id('usr', 1), timestamptz '2024-01-15' + n * interval '1 minute' from generate_series(1, 100000) n;
insert into "Grant" (id, "organizationId", "teamId", "spaceId", role)
select size_id('gra', n), size_id('org', 1), size_id('tem', n), size_id('spc', n * 3 + 1), (size_pick('{edit,read,comment}', n))::"Role" from generate_series(1, 6000) n;

-- step: change requests
insert into "Revision" (id, "spaceId", type, parents, "authorId", "createdAt")
select size_id('rev', 200000 + c), size_id('spc', 2), 'edits', array[size_id('rev', 2)], size_id('usr', 3), timestamptz '2024-02-01' + c * interval '5 minutes'
from generate_series(1, 100000) c;
insert into "ChangeRequest" (id, "spaceId", "organizationId", number, status, subject, "createdById", "createdAt", "updatedAt", "revisionId", "revisionInitialId")
select size_id('chr', c), size_id('spc', 2), size_id('org', 1), c, (size_pick('{open,draft,archived,open}', c))::"ChangeRequestStatus", 'Change ' || c, size_id('usr', 3),
  timestamptz '2024-02-01' + c * interval '5 minutes', timestamptz '2024-02-02' + c * interval '5 minutes', size_id('rev', 200000 + c), size_id('rev', 2)
from generate_series(1, 100000) c;
insert into "Review" (id, "changeRequestId", "reviewerId", status, "requestedById", "requestedAt")
select size_id('rvw', c), size_id('chr', c * 4), size_id('usr', 2), 'requested', size_id('usr', 3), timestamptz '2025-02-01' + c * interval '5 minutes'
from generate_series(1, 25000) c;

-- step: tokens
insert into "ApiToken" (id, "userId", name, hash, "createdAt")
select size_id('tok', n), size_id('usr', n), 'benchmark', sha256(convert_to('dg_sizeSizeSizeSizeSizeSizeSizeSizeSizeSizeSize0' || n, 'UTF8')), now() from generate_series(1, 2) n;

-- step: numbers of spaces
insert into "SpaceCount" ("spaceId", "changeRequests", "openChangeRequests", "draftChangeRequests", "openComments")
select s.id, n."all", n."open", n."draft",
  (select count(*) from "Comment" m where m."spaceId" = s.id and m."changeRequestId" is null and m.status = 'open')
from "Space" s cross join lateral (
  select count(*) as "all", count(*) filter (where r.status = 'open') as "open", count(*) filter (where r.status = 'draft') as "draft"
  from "ChangeRequest" r where r."spaceId" = s.id) n;

-- step: statistics
set session_replication_role = default;
drop function size_id, size_pick, size_position;
vacuum (analyze, freeze);
