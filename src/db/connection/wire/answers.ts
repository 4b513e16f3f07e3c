// What the server's messages of columns and of errors say.
import pg from "pg";
import type { NamedType } from "#src/db/connection/wire/rows.ts";

/** Text up to a zero byte, and the place behind that. Throws when there is none. */
function readText(body: Buffer, start: number): { readonly text: string; readonly next: number } {
  const end = body.indexOf(0, start);
  if (end < 0) throw new Error("A message of the database ends within a text.");
  return { text: body.toString("utf8", start, end), next: end + 1 };
}

/** The columns in a RowDescription. Throws when it is none. */
export function readColumns(body: Buffer): NamedType[] {
  let at = 2;
  return Array.from({ length: body.readUInt16BE(0) }, () => {
    const { text: name, next } = readText(body, at);
    at = next + 18; // table and its column before the oid, sizes and format behind it
    if (at > body.length) throw new Error("A message of the database ends within a column.");
    return { name, oid: body.readUInt32BE(next + 6) };
  });
}

/** Codes of the fields of an ErrorResponse, each with the name that `pg` gives it. */
const errorFields = (
  "S severity C code D detail H hint P position p internalPosition q internalQuery W where s schema t table c column " +
  "d dataType n constraint F file L line R routine"
).matchAll(/(\w) (\w+)/g);
const fieldNames = Array.from(errorFields, ([, code = "", name = ""]) => [code, name] as const);

/** The error in an ErrorResponse, as `pg` makes it. Throws when it is none. */
export function readError(body: Buffer): pg.DatabaseError {
  const fields = new Map<string, string>();
  for (let at = 0; body[at] !== 0;) {
    const { text, next } = readText(body, at); // the code and the value
    fields.set(text.slice(0, 1), text.slice(1));
    at = next;
  }
  const error = new pg.DatabaseError(fields.get("M") ?? "", body.length + 4, "error");
  return Object.assign(error, Object.fromEntries(fieldNames.map(([code, name]) => [name, fields.get(code)])));
}
