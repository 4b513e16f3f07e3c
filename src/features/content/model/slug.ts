// Slugs: the part of a page's path that names it among its siblings.
import { invalidInput } from "#src/base/errors.ts";
import { checkText } from "#src/domain/input.ts";

const slugLimit = 100;
const form = /^[\p{L}\p{M}\p{N}]+(?:[-_.]+[\p{L}\p{M}\p{N}]+)*$/u;

/** INVALID_INPUT beyond 100 characters, and for what is not of the {@link form}. */
export function checkSlug(path: string, text: string): string {
  const slug = checkText(path, text, { min: 1, max: slugLimit });
  if (!form.test(slug)) throw invalidInput(path, "must be letters and digits of any script, with -, _ and . between.");
  return slug;
}

export function slugOf(title: string, otherwise = "page"): string {
  const plain = title
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase(); // accents alone
  const words = Array.from(plain.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-"))
    .slice(0, slugLimit)
    .join("");
  return words.replaceAll(/^-|-$/g, "") || otherwise;
}

/** The slug, with a number from 2 on when it is taken. */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  return isTaken(slug) ? numberedSlug(slug, 2, isTaken).slug : slug;
}

function numberedSlug(slug: string, from: number, isTaken: (slug: string) => boolean) {
  for (let number = from; ; number++) {
    const end = `-${number}`;
    const numbered = `${Array.from(slug)
      .slice(0, slugLimit - end.length)
      .join("")}${end}`;
    if (!isTaken(numbered)) return { slug: numbered, number };
  }
}

/** The slugs of pages side by side: each is handed out once, and any number of equal ones as fast as different ones. */
export class SiblingSlugs {
  readonly #taken: Set<string>;
  readonly #numbers = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** The slug, with a number as by {@link freeSlug} when it is taken. From now on it is. */
  take(wanted: string): string {
    const isTaken = (slug: string) => this.#taken.has(slug);
    let slug = wanted;
    if (isTaken(wanted)) {
      const numbered = numberedSlug(wanted, (this.#numbers.get(wanted) ?? 1) + 1, isTaken);
      this.#numbers.set(wanted, numbered.number);
      slug = numbered.slug;
    }
    this.#taken.add(slug);
    return slug;
  }
}
