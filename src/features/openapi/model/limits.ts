// What a specification may have.
import { invalidInput } from "#src/base/errors.ts";
import { checkText } from "#src/domain/input.ts";

export const specLimits = {
  /** Specifications of an organization. */
  ofOrganization: 500,
  /** Bytes of all of its files together, and of an archive with them. */
  bytes: 10_000_000,
  files: 100,
  /** How often files lead on to files that were not known before. */
  rounds: 20,
} as const;

/** Slugs, as the contract has them. */
export const slugPattern = "^[a-z0-9]+(?:-[a-z0-9]+)*$";
export const slugLimit = 100;

const slugForm = new RegExp(slugPattern);

/** The slug. INVALID_INPUT beyond 100 characters, and for what is not of its form. */
export function checkSpecSlug(slug: string): string {
  const text = checkText("slug", slug, { min: 1, max: slugLimit });
  if (slugForm.test(text)) return text;
  throw invalidInput("slug", "must be small letters and digits, with - between.");
}
