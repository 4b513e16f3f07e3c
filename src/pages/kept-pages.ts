// Pages that were made for readers without an account, by the version of everything that they show.
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import type { Shown, ShownPage } from "#src/pages/page.ts";

/** The most characters of pages that are kept. */
const mostCharacters = 32_000_000;

/** How long a page is kept, in milliseconds: addresses of files in it are valid for some hours. */
const ageMs = 10 * 60 * 1000;

interface Kept {
  readonly page: ShownPage;
  readonly until: number;
}

/** See the head of this file. */
export class KeptPages {
  readonly #pages = new BoundedMap<string, Kept>(mostCharacters, ({ page }) => 2 * page.body.text.length + 1000);

  get(key: string): ShownPage | null {
    const kept = this.#pages.get(key);
    return kept && kept.until > performance.now() ? kept.page : null;
  }

  /** Keeps a page; nothing else, such as pages that do not exist, of which there may be any number. */
  keep(key: string, shown: Shown): void {
    if (shown?.kind === "page" && shown.status === 200)
      this.#pages.keep(key, { page: shown, until: performance.now() + ageMs });
  }
}
