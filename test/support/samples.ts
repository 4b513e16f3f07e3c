// Where the sample data of real projects is: in the folder SAMPLES_DIR, or beside the project in ../shared/samples.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = process.env["SAMPLES_DIR"] ?? resolve(import.meta.dirname, "../../../shared/samples");

/** The sample history of a book: 120 steps, 66 of them change requests. */
export const bookHistory = sample("book/history.json.gz");

/**
 * The path of a sample, or undefined where the samples are not: then it says so once, and the tests that need it are to be skipped
 * (`test.skipIf(!bookHistory)`).
 */
function sample(path: string): string | undefined {
  const file = join(folder, path);
  if (existsSync(file)) return file;
  console.warn(
    `The sample ${path} is not in ${folder}: tests that need it are skipped. Set SAMPLES_DIR to the samples.`,
  );
  return undefined;
}
