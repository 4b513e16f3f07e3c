// Limits of specifications, and the form of their slugs.
import { invalidInput } from "#src/base/errors.ts";
import { checkText } from "#src/domain/input.ts";

export const specLimits = {
  /** Specifications of an organization. */
  ofOrganization: 500,
  /** Bytes of all files together, and of an archive of them. */
  bytes: 10_000_000,
  files: 100,
  /** The limit of rounds in which files refer to new files. */
  rounds: 20,
} as const;

export const slugPattern = "^[a-z0-9]+(?:-[a-z0-9]+)*$";
export const slugLimit = 100;

const slugForm = new RegExp(slugPattern);

/** The trimmed slug. INVALID_INPUT if longer than 100 characters or malformed. */
export function checkSpecSlug(slug: string): string {
  const text = checkText("slug", slug, { min: 1, max: slugLimit });
  if (slugForm.test(text)) return text;
  throw invalidInput("slug", "may contain only lowercase letters, digits and single hyphens between them.");
}
