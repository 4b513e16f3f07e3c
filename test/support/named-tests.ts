// Tests that a table names in the place of one of its own: that they are there.
import { readFileSync } from "node:fs";

/** A test by its file below test/ and by words of its title, as the file has them. */
export type NamedTest = readonly [file: string, title: string];

/** Whether the file has a test, or a group of tests, whose title has these words. */
export function isThere([file, title]: NamedTest): boolean {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  const titles = text.matchAll(/\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`),\s*(?:async\b|\(|\{|\w+ =>)/g);
  return [...titles].some(([, plain, template]) => (plain ?? template ?? "").includes(title));
}
