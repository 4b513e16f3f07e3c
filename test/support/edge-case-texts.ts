// Texts that JSON writers can get wrong, written into all rows of a database.
import type { Database } from "#src/db/connection/database.ts";

/** Storable texts: escapes, control characters, quotes, line separators, surrogate pairs, empty and long texts. */
export const edgeCaseTexts: readonly string[] = [
  'Said "so", \\ and \\"so\\" \\u0041 \\n',
  "\u0001\u0002\u0007\b\t\n\v\f\r\u001f\u007f\u0080\u009f",
  "",
  "line\u2028separator\u2029paragraph",
  "🧭👩🏽‍🚀 \u{10FFFF}\u{1F600}𝒳",
  "\ufeffé e\u0301 ﷽ ꙮ \ud7ff\ue000\uffff",
  "x".repeat(3000),
  `${"ü".repeat(700)}"${"🛟".repeat(300)}\\`,
  "</script><!-- %00 {{ name }} ${x} '",
  " ",
  "null",
  '{"data":[1,2.0,-0]}',
];

/** Texts that PostgreSQL cannot store: lone surrogates, and NUL. */
export const unstorableTexts: readonly string[] = ["\ud83d", "a\udc00b", "\udc00\ud800", "\0"];

/** Free text columns, with their maximum lengths. */
const columns: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ApiToken: { name: 5000 },
  ChangeRequest: { subject: 100 },
  Collection: { title: 50, description: 100 },
  Comment: { markdown: 5000, nodePreview: 5000 },
  CommentReply: { markdown: 5000 },
  ContentFile: { name: 5000 },
  Organization: { title: 5000, logoURL: 5000 },
  Reaction: { emoji: 100 },
  Revision: { message: 5000 },
  Site: { title: 128 },
  SiteSection: { title: 128, description: 256, icon: 50, condition: 1024 },
  SiteSectionGroup: { title: 100, icon: 50 },
  SiteSpace: { title: 5000, path: 100, condition: 1024 },
  Space: { title: 50, emoji: 50 },
  Team: { title: 64 },
  User: { displayName: 5000, photoURL: 5000 },
};
/** Columns that are never blank. */
const given = ["title", "condition", "path"];

/** Puts these texts into the rows in turn, and null into every seventh where a column may be null. */
export async function writeEdgeCaseTexts({ pool }: Pick<Database, "pool">): Promise<void> {
  const nullable = await pool.query<{ column: string }>(
    `select table_name || '.' || column_name as column from information_schema.columns where is_nullable = 'YES'`,
  );
  const mayBeNull = new Set(nullable.rows.map(({ column }) => column));
  for (const [table, lengths] of Object.entries(columns))
    for (const [index, [column, length]] of Object.entries(lengths).entries()) {
      const key = table === "ContentFile" ? "hash" : "id";
      const texts = edgeCaseTexts
        .map((text) => Array.from(text).slice(0, length).join(""))
        .map((text) => (given.includes(column) && text.trim().length < 2 ? `"${text}\\` : text));
      const text = "($1::text[])[1 + (place + $2::int) % cardinality($1::text[])]";
      const value = mayBeNull.has(`${table}.${column}`) ? `case when place % 7 = 3 then null else ${text} end` : text;
      await pool.query(
        `update "${table}" set "${column}" = ${value}
           from (select "${key}" as key, row_number() over (order by "${key}")::int as place from "${table}") numbered
          where numbered.key = "${table}"."${key}"`,
        [texts, index],
      );
    }
}
