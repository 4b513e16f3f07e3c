// What gateways of one release may count on in the database, and what of that another schema does not keep.
import type pg from "pg";

/** A fact of the schema by what it is about, such as `column Comment.id`. */
export type Facts = Readonly<Record<string, string>>;

const queries = [
  `select 'column ' || c.relname || '.' || a.attname,
      format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
        || case when a.atthasdef or a.attidentity <> '' then ' default' else '' end
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped`,
  `select 'value ' || t.typname || '.' || e.enumlabel, '' from pg_enum e join pg_type t on t.oid = e.enumtypid
    where t.typnamespace = 'public'::regnamespace`,
  `select 'function ' || p.proname || '(' || oidvectortypes(p.proargtypes) || ')', format_type(p.prorettype, null)
    from pg_proc p where p.pronamespace = 'public'::regnamespace`,
  `select 'rule ' || c.relname || ': ' || pg_get_constraintdef(k.oid), '' from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and k.contype in ('c', 'u', 'f', 'x', 'p')`,
  `select 'rule ' || c.relname || ': ' || regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', 'unique '), ''
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and i.indisunique`,
];

/** The facts of the schema `public` of a database, but for the table of migrations. */
export async function readFacts(client: Pick<pg.Pool, "query">): Promise<Facts> {
  const facts: Record<string, string> = {};
  for (const query of queries) {
    const { rows } = await client.query<{ about: string; is: string }>(
      `select * from (${query}) f(about, "is") order by 1`,
    );
    for (const { about, is } of rows) if (!/^\w+ _prisma_migrations\b/.test(about)) facts[about] = is;
  }
  return facts;
}

/** Whether a rule is about columns in which rows differ by a rule of the release already. */
function isWeaker(rule: string, released: Facts): boolean {
  const columnsOf = (about: string) =>
    /: (?:PRIMARY KEY|UNIQUE|unique btree) \((.+)\)$/.exec(about)?.[1]?.split(", ") ?? [];
  const columns = columnsOf(rule);
  return Object.keys(released).some((about) => {
    const known = columnsOf(about);
    return tableOf(about) === tableOf(rule) && known.length > 0 && known.every((column) => columns.includes(column));
  });
}

const tableOf = (about: string) => /^(?:column|rule) (\w+)/.exec(about)?.[1];

/** What gateways that know `released` would meet in a database of `now` that they do not expect, one line each. */
export function breaksOf(released: Facts, now: Facts): string[] {
  const knownTables = new Set(Object.keys(released).map(tableOf));
  const gone = Object.entries(released).flatMap(([about, was]) => {
    const is = now[about];
    if (about.startsWith("rule")) return []; // they need none
    if (is === undefined) return [`${about} is gone`];
    return keeps(was, is) ? [] : [`${about} was ${was}, and is ${is}`];
  });
  const added = Object.entries(now).flatMap(([about, is]) => {
    if (about in released || !knownTables.has(tableOf(about))) return [];
    if (about.startsWith("rule") && isWeaker(about, released)) return [];
    if (about.startsWith("rule")) return [`${about} is new: what they write may not pass it`];
    const isWanted = about.startsWith("column") && is.includes(" not null") && !is.includes(" default");
    return isWanted ? [`${about} is new, and they do not give it`] : [];
  });
  return [...gone, ...added];
}

/** Whether a column, function or value that was one way takes and gives all that it did. */
function keeps(was: string, is: string): boolean {
  const bare = (text: string) => text.replace(/ not null| default/g, "");
  const becameWanted = (!was.includes(" not null") || was.includes(" default")) && is.includes(" not null");
  const isGiven = is.includes(" default") && was.includes(" not null");
  return bare(was) === bare(is) && (!becameWanted || isGiven);
}
