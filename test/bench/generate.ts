// Fills the benchmark's database: applies generate.sql step by step, adds the caller's token, checks the result and
// gathers statistics.
import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";

/** The API token of user 1, an ordinary member. A fixed text, for this database only. */
export const benchToken = "dg_benchmarkBenchmarkBenchmarkBenchmarkBench01";

/** The hash of the generate.sql that made the data, so that a changed one makes new data. */
export const generatorFile = path.join(import.meta.dirname, "generate.sql");

/** Runs every step and prints its time. The schema must exist and be empty. */
export async function generate(url: string, say: (line: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const steps = (await readFile(generatorFile, "utf8")).split(/^-- step: /m).slice(1);
    for (const step of steps) await timed(step.slice(0, step.indexOf("\n")), () => client.query(`-- ${step}`), say);
    await client.query(
      `insert into "ApiToken" (id, "userId", name, hash, "createdAt")
       values (bench_id('tok', 1), bench_id('usr', 1), 'benchmark', sha256(convert_to($1, 'UTF8')), now())`,
      [benchToken],
    );
    await timed("statistics", () => client.query("vacuum (analyze, freeze)"), say);
    await check(client);
    await client.query("drop function bench_id, bench_position, bench_pick, bench_random");
    await client.query("checkpoint");
  } finally {
    await client.end();
  }
}

async function timed(name: string, work: () => Promise<unknown>, say: (line: string) => void): Promise<void> {
  const start = performance.now();
  await work();
  say(`  ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

const expected: Record<string, number> = {
  organizations: 7,
  spaces: 2040,
  "change requests": 100_400,
  comments: 3_022_000,
  "rows that hang in the air": 0,
  "spaces with fewer than 10 open change requests": 0,
};

/** Foreign keys were off while generating, so references are checked once here. */
async function check(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; count: number }>(`
    select 'organizations' as name, count(*)::int as count from "Organization"
    union all select 'spaces', count(*)::int from "Space"
    union all select 'change requests', count(*)::int from "ChangeRequest"
    union all select 'comments', count(*)::int from "Comment"
    union all select 'spaces with fewer than 10 open change requests', count(*)::int from "Space" s
      where (select count(*) from "ChangeRequest" c where c."spaceId" = s.id and c.status = 'open') < 10
    union all select 'rows that hang in the air', (
      (select count(*) from "Comment" c left join "ChangeRequest" r on r.id = c."changeRequestId" and r."spaceId" = c."spaceId" where c."changeRequestId" is not null and r.id is null)
      + (select count(*) from "Comment" c left join "User" u on u.id = c."postedById" left join "Space" s on s.id = c."spaceId" where u.id is null or s.id is null)
      + (select count(*) from "ChangeRequest" c left join "Revision" r on r.id = c."revisionId" left join "Space" s on s.id = c."spaceId" where r.id is null or s.id is null)
      + (select count(*) from "Space" s left join "Revision" r on r.id = s."revisionId" left join "Collection" p on p.id = s."parentId" where r.id is null or (s."parentId" is not null and p.id is null))
      + (select count(*) from "Grant" g left join "Space" s on s.id = g."spaceId" and s."organizationId" = g."organizationId" where g."spaceId" is not null and s.id is null)
      + (select count(*) from "Grant" g left join "Collection" c on c.id = g."collectionId" where g."collectionId" is not null and c.id is null)
      + (select count(*) from "Grant" g left join "OrganizationMember" m on m."userId" = g."userId" and m."organizationId" = g."organizationId" where g."userId" is not null and m.id is null)
      + (select count(*) from "SiteSpace" p left join "Space" s on s.id = p."spaceId" where s.id is null))::int`);
  const wrong = rows.filter(({ name, count }) => expected[name] !== count);
  if (wrong.length > 0)
    throw new Error(`The generated data is wrong: ${JSON.stringify(wrong)}, expected ${JSON.stringify(expected)}`);
}
