// The title of a page whose text begins with it: shown once.
import type { Heading } from "#src/features/content/views/outline.ts";
import { html, type Html } from "#src/http/html.ts";

interface Titled {
  readonly title: string;
  /** Sanitised HTML. */
  readonly html: string | null;
  readonly outline: readonly Heading[];
}

const firstHeading = /^<h1 id="([^"]*)">[^]*?<\/h1>\s*/;

/**
 * The page without a first heading that repeats its title, as texts written for other tools begin, and the anchor that
 * links to that heading have.
 */
export function belowTitle<Page extends Titled>(page: Page): Page & { readonly anchor: string | null } {
  const [heading, ...rest] = page.outline;
  const written = firstHeading.exec(page.html ?? "");
  const repeats = heading?.level === 1 && heading.title === page.title && written?.[1] === heading.anchor;
  if (!repeats) return { ...page, anchor: null };
  return { ...page, html: page.html?.slice(written[0].length) ?? null, outline: rest, anchor: heading.anchor };
}

/** The attribute of an element that links to this anchor lead to. */
export const idOf = (anchor: string | null): Html => (anchor === null ? html`` : html` id="${anchor}"`);
