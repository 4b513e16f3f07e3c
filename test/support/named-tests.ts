// References from tables to tests in other files, and a check that they exist.
import { readFileSync } from "node:fs";

/** A test by its file below test/ and words of its title in the source. */
export type NamedTest = readonly [file: string, title: string];

/** The permission and tenant tests are defined once for all features. */
const accessTables = ["describe.ts", "permissions.ts", "tenant-table.ts"].map((name) => `support/access/${name}`);

/** Whether the file has a test or a group whose title contains these words. */
export function isThere([file, title]: NamedTest): boolean {
  const files = file.endsWith("/access.test.ts") ? [file, ...accessTables] : [file];
  const text = files.map((name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8")).join("\n");
  const titles = text.matchAll(/\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`),\s*(?:async\b|\(|\{|\w+ =>)/g);
  return [...titles].some(([, plain, template]) => (plain ?? template ?? "").includes(title));
}
