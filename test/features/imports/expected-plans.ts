// Expects the plan of the files of a repository: pages, texts and warnings.
import { expect } from "vitest";
import { type Files, planOf } from "#test/features/imports/files.ts";

export interface Repository {
  readonly files: Files;
  readonly pages: readonly string[];
  /** Some of the texts, by slug. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

export async function expectPlan({ files, pages, texts = {}, warnings = [] }: Repository): Promise<void> {
  const planned = await planOf(files);
  const given = { pages: planned.pages, warnings: planned.warnings.toSorted() };
  expect(given).toEqual({ pages, warnings: warnings.toSorted() });
  expect(planned.texts).toMatchObject(texts);
}
