// Slugs of titles: the part of an address that names a page among its siblings, or a heading in its text.

/** The most characters of a slug. */
export const slugLimit = 100;

/** The slug of a title; `otherwise` for one without letters and digits. */
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

/** The slug, with a number from 2 on if it is taken. */
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

/** The slugs of siblings: assigns each only once, in constant time even for many equal ones. */
export class SiblingSlugs {
  readonly #taken: Set<string>;
  readonly #numbers = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** Reserves and returns the slug, with a number like {@link freeSlug} if it is taken. */
  take(preferred: string): string {
    const isTaken = (slug: string) => this.#taken.has(slug);
    let slug = preferred;
    if (isTaken(preferred)) {
      const numbered = numberedSlug(preferred, (this.#numbers.get(preferred) ?? 1) + 1, isTaken);
      this.#numbers.set(preferred, numbered.number);
      slug = numbered.slug;
    }
    this.#taken.add(slug);
    return slug;
  }
}
