// Slugs: the part of a page's path that names it among its siblings.
import { invalidInput } from "#src/base/errors.ts";
import { slugLimit } from "#src/base/text/slugs.ts";
import { checkText } from "#src/domain/input.ts";

const form = /^[\p{L}\p{M}\p{N}]+(?:[-_.]+[\p{L}\p{M}\p{N}]+)*$/u;

/** INVALID_INPUT above 100 characters, or if it does not match the {@link form}. */
export function checkSlug(path: string, text: string): string {
  const slug = checkText(path, text, { min: 1, max: slugLimit });
  if (!form.test(slug))
    throw invalidInput(
      path,
      "may contain only letters and digits of any script, separated by -, _ and .; for example getting-started.",
    );
  return slug;
}
