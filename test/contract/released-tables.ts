// The facts of a database schema that a release relies on, and the comparison of two schemas.
import type pg from "pg";

/** Facts of a schema by their subject, such as `column Comment.id`. */
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

/** The facts of the schema `public` of a database, except for the table of migrations. */
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

/** Whether a unique rule is implied by a rule that the release already has. */
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

/** Facts of `now` that break gateways of the release `released`, one line each. */
export function breaksOf(released: Facts, now: Facts): string[] {
  const knownTables = new Set(Object.keys(released).map(tableOf));
  const gone = Object.entries(released).flatMap(([about, was]) => {
    const is = now[about];
    if (about.startsWith("rule")) return []; // old gateways do not depend on rules
    if (is === undefined) return [`${about} was removed`];
    return keeps(was, is) ? [] : [`${about} was ${was}, and is ${is}`];
  });
  const added = Object.entries(now).flatMap(([about, is]) => {
    if (about in released || !knownTables.has(tableOf(about))) return [];
    if (about.startsWith("rule") && isWeaker(about, released)) return [];
    if (about.startsWith("rule")) return [`${about} is new: writes of the old release may violate it`];
    const isWanted = about.startsWith("column") && is.includes(" not null") && !is.includes(" default");
    return isWanted ? [`${about} is new and required`] : [];
  });
  return [...gone, ...added];
}

/** Whether a changed column, function or value still accepts and returns everything it did. */
function keeps(was: string, is: string): boolean {
  const bare = (text: string) => text.replace(/ not null| default/g, "");
  const becameWanted = (!was.includes(" not null") || was.includes(" default")) && is.includes(" not null");
  const isGiven = is.includes(" default") && was.includes(" not null");
  return bare(was) === bare(is) && (!becameWanted || isGiven);
}
