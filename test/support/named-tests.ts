// Tests that a table names in the place of one of its own: that they are there.
import { readFileSync } from "node:fs";

/** A test by its file below test/ and by words of its title, as the file has them. */
export type NamedTest = readonly [file: string, title: string];

/** The tests of permissions and tenants of a feature are written once for all features. */
const accessTables = ["describe.ts", "permissions.ts", "tenant-table.ts"].map((name) => `support/access/${name}`);

/** Whether the file has a test, or a group of tests, whose title has these words. */
export function isThere([file, title]: NamedTest): boolean {
  const files = file.endsWith("/access.test.ts") ? [file, ...accessTables] : [file];
  const text = files.map((name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8")).join("\n");
  const titles = text.matchAll(/\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`),\s*(?:async\b|\(|\{|\w+ =>)/g);
  return [...titles].some(([, plain, template]) => (plain ?? template ?? "").includes(title));
}
