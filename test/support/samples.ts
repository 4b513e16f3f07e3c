// Sample data of real projects, from the folder SAMPLES_DIR, or beside the project in ../shared/samples.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";

const folder = process.env["SAMPLES_DIR"] ?? resolve(import.meta.dirname, "../../../shared/samples");

/** The sample history of a book: 120 steps, 66 of them change requests. */
export const bookHistory = sample("book/history.json.gz");

/**
 * The path of a sample, or undefined if it does not exist: then a warning is printed once, and tests that need it must
 * be skipped (`test.skipIf(!bookHistory)`).
 */
function sample(path: string): string | undefined {
  const file = join(folder, path);
  if (existsSync(file)) return file;
  console.warn(
    `The sample ${path} is not in ${folder}: tests that need it are skipped. Set SAMPLES_DIR to the samples.`,
  );
  return undefined;
}

/** The texts of the book at its start, by path; empty without the sample. */
export function readBook(): [path: string, text: string][] {
  if (!bookHistory) return [];
  const { start, blobs } = JSON.parse(gunzipSync(readFileSync(bookHistory)).toString()) as {
    start: Record<string, string>;
    blobs: Record<string, string>;
  };
  return Object.entries(start).map(([path, blob]) => [path, blobs[blob] ?? ""]);
}

/** The chapters of the sample book that small tests read, and its contents without the lines that link to others. */
export function partOfBook(whole: Readonly<Record<string, string>>): Record<string, string> {
  const isKept = (path: string) =>
    /^(title-page|foreword|ch0[01]|ch03-0[0124]|ch07-0[01]|ch17-00|ch20-00|appendix)/.test(path);
  const contents = (whole["SUMMARY.md"] ?? "").split("\n").filter((line) => {
    const [, path] = /\]\((.*)\)$/.exec(line) ?? [];
    return path === undefined || isKept(path);
  });
  const chapters = Object.entries(whole).filter(([path]) => isKept(path));
  return { ...Object.fromEntries(chapters), "SUMMARY.md": contents.join("\n") };
}
