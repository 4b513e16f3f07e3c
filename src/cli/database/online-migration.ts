// Migrations that run while gateways serve: refuses statements that lock a table for as long as it is large, and
// moves those that can run beside others into a migration of their own.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { loneMark, withoutBodies } from "#src/db/maintenance/migrate.ts";

/** A statement that locks a table for long, and what to write instead. */
export interface LockFault {
  readonly line: number;
  readonly statement: string;
  readonly remedy: string;
}

const batches = "fill it in batches by a job, and read the old value until the job is done";

/** What to do instead, by rule of squawk; its other rules are about style. */
const remedies: Readonly<Record<string, string>> = {
  "adding-field-with-default": `A default that is computed for each row rewrites the table: add the column as nullable, and ${batches}.`,
  "adding-required-field": `A column that is NOT NULL needs a constant default; otherwise add it as nullable, and ${batches}.`,
  "adding-not-nullable-field":
    "SET NOT NULL reads the table under a lock: add CHECK (... IS NOT NULL) NOT VALID, and validate it in the next migration.",
  "adding-foreign-key-constraint": "Add it NOT VALID, and VALIDATE CONSTRAINT in the next migration.",
  "constraint-missing-not-valid": "Add it NOT VALID, and VALIDATE CONSTRAINT in the next migration.",
  "changing-column-type": `A new type rewrites the table: add a column beside the old one, and ${batches}.`,
  "disallowed-unique-constraint": "Create a unique index CONCURRENTLY in a migration of its own.",
  "adding-primary-key-constraint": "Create a unique index CONCURRENTLY first, and add the key USING INDEX.",
  "adding-serial-primary-key-field": "A serial rewrites the table: create a sequence, and fill the column in batches.",
  "require-concurrent-index-creation": `Begin a migration of its own with "${loneMark.trim()}", and create the index CONCURRENTLY IF NOT EXISTS there.`,
  "require-concurrent-index-deletion": `Begin a migration of its own with "${loneMark.trim()}", and drop the index CONCURRENTLY IF EXISTS there.`,
  "renaming-column": "The previous release reads the old name: add a column, and drop the old one a release later.",
  "renaming-table": "The previous release reads the old name: add a table, and drop the old one a release later.",
};

interface Warning {
  readonly line: number;
  readonly rule_name: string;
}

/** The statements of a migration that lock an existing table for long, in their order. */
export function lockFaults(script: string): LockFault[] {
  const lines = script.split("\n");
  const isAlone = script.startsWith(loneMark);
  const found = warningsOf(script, isAlone).flatMap(({ line, rule_name: rule }) =>
    Object.hasOwn(remedies, rule) ? [{ line: line + 1, remedy: remedies[rule] ?? "" }] : [],
  );
  const faults = [...found, ...faultsOfRows(script, isAlone)].map((fault) => ({
    ...fault,
    statement: lines[fault.line - 1]?.trim() ?? "",
  }));
  return [...new Map(faults.map((fault) => [`${fault.line} ${fault.remedy}`, fault])).values()];
}

function warningsOf(script: string, isAlone: boolean): readonly Warning[] {
  const { resolve } = createRequire(import.meta.url);
  const mode = isAlone ? [] : ["--assume-in-transaction"];
  const words = [resolve("squawk-cli/js/bin/squawk"), "--reporter", "json", "--pg-version", "15", ...mode];
  const { stdout, stderr } = spawnSync(process.execPath, words, { input: script, encoding: "utf8" });
  if (!stdout.startsWith("[")) throw new Error(`squawk cannot read the migration: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Warning[]; // what its reporter writes
}

/** The beginning of a statement, with its line; bodies of functions, texts and comments are blank. */
function* statementsOf(script: string): Generator<{ readonly text: string; readonly line: number }> {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, " ");
  const plain = withoutBodies(script)
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, blank)
    .replaceAll(/'(?:[^']|'')*'/g, blank);
  let at = 0;
  for (const text of plain.split(";")) {
    const begins = at + text.length - text.trimStart().length;
    if (text.trim() !== "") yield { text: text.trim(), line: plain.slice(0, begins).split("\n").length };
    at += text.length + 1;
  }
}

const locking = /^(?:alter table(?: only)?|create (?:constraint )?trigger [\s\S]*? on|lock table) "?(\w+)/i;
const writing = /^(?:with [\s\S]*)?(?:update|delete from|insert into) "?(\w+)"?/i;
const rewriting = /^alter table[\s\S]*\badd column\b[\s\S]*\b(?:big|small)?serial\b/i;

/** Not FOR UPDATE of a query, nor DO UPDATE of an insert. */
const ofRows = /^\s*(?:with\b[\s\S]*?)?(?<!\b(?:for|do)\s+)\b(?:update|delete\s+from)\s+(?:only\s+)?"?(\w+)/i;

/** The tables of which a statement, or a part of it in parentheses, updates or deletes all rows: without WHERE. */
function tablesOfAllRows(statement: string): string[] {
  const tables: string[] = [];
  const note = (part: string) => {
    const [, table] = ofRows.exec(part) ?? [];
    if (table !== undefined && !/\bwhere\b/i.test(part)) tables.push(table);
    return "";
  };
  let [before, rest] = ["", statement];
  while (rest !== before) [before, rest] = [rest, rest.replaceAll(/\(([^()]*)\)/g, (_, part: string) => note(part))];
  note(rest);
  return tables;
}

/**
 * What a transaction cannot contain, rows of existing tables that it writes while it has locks, and statements that
 * write all rows of an existing table, also those that run alone.
 */
function faultsOfRows(script: string, isAlone: boolean): Omit<LockFault, "statement">[] {
  const made = new Set<string>();
  const faults: Omit<LockFault, "statement">[] = [];
  let isLocked = false;
  for (const { text, line } of statementsOf(script)) {
    if (!isAlone && /^(?:create|drop|reindex)\b[^(]*\bconcurrently\b/i.test(text))
      faults.push({ line, remedy: `CONCURRENTLY needs a migration that begins with "${loneMark.trim()}".` });
    const [, created] = /^create table (?:if not exists )?"?(\w+)/i.exec(text) ?? [];
    if (created) made.add(created);
    const [, written] = writing.exec(text) ?? [];
    const isCopy = !/^insert/i.test(text) || /\bselect\b/i.test(text);
    if (written && isCopy && isLocked && !made.has(written))
      faults.push({ line, remedy: `The table stays locked until all rows are written: ${batches}.` });
    else if (tablesOfAllRows(text).some((table) => !made.has(table)))
      faults.push({ line, remedy: `Each row stays locked until all rows are written: ${batches}.` });
    const [, locked] = locking.exec(text) ?? [];
    if (locked && !made.has(locked)) isLocked = !isAlone; // by itself, a statement ends its locks
    if (locked && !made.has(locked) && rewriting.test(text))
      faults.push({ line, remedy: remedies["adding-serial-primary-key-field"] ?? "" });
  }
  return faults;
}

/**
 * Moves statements of Prisma into a migration without a transaction: indexes of existing tables, and the validation of
 * their foreign keys. `after` is empty if all stay.
 */
export function separateOnline(script: string): { readonly script: string; readonly after: string } {
  const made = new Set([...script.matchAll(/^CREATE TABLE "(\w+)"/gm)].map(([, name = ""]) => name));
  const after: string[] = [];
  const kept = script.split(/(?<=;\n)/).flatMap((statement) => {
    const text = statement.replace(/^(?:\s|--[^\n]*\n)*/, "").trimEnd();
    const [, table = ""] = /^(?:CREATE (?:UNIQUE )?INDEX "\w+" ON|ALTER TABLE) "(\w+)"/.exec(text) ?? [];
    if (made.has(table)) return statement;
    if (text.startsWith("CREATE INDEX") || text.startsWith("CREATE UNIQUE INDEX")) {
      after.push(text.replace("INDEX", "INDEX CONCURRENTLY IF NOT EXISTS"));
      return [];
    }
    if (text.startsWith("DROP INDEX")) {
      after.push(text.replace("INDEX", "INDEX CONCURRENTLY IF EXISTS"));
      return [];
    }
    const [, key] = /^ALTER TABLE "\w+" ADD CONSTRAINT ("\w+") FOREIGN KEY/.exec(text) ?? [];
    if (key === undefined) return statement;
    after.push(`ALTER TABLE "${table}" VALIDATE CONSTRAINT ${key};`);
    return statement.replace(/;\n$/, " NOT VALID;\n");
  });
  return { script: kept.join(""), after: after.length === 0 ? "" : `${loneMark}${after.join("\n")}\n` };
}
