// Where a path on a site leads, among what a visitor is shown.
import type { Shown, ShownSpace } from "#src/features/published-sites/model/shown.ts";

/** A site space, and the path of a page in it; empty for what visitors see first there. */
export interface Place<Of> {
  readonly space: ShownSpace<Of>;
  readonly path: string;
}

/**
 * Where a path leads: section (if the site space is in one), site space, page. What is left out at the end is the
 * default: of the site, of the section, and the first page. Null if it leads nowhere.
 */
export function placeAt<Of>(
  { sections, root, siteSpaces, defaultSiteSpace }: Shown<Of>,
  path: string,
): Place<Of> | null {
  const segments = path.split("/").filter((segment) => segment !== "");
  const [first, second] = segments;
  if (first === undefined) return defaultSiteSpace && { space: defaultSiteSpace, path: "" };
  const section = sections.find((one) => one.path === first);
  const inSection = section && second !== undefined ? section.siteSpaces.find((one) => one.path === second) : undefined;
  if (inSection) return { space: inSection, path: segments.slice(2).join("/") };
  const atRoot = root.find((one) => one.path === first);
  if (atRoot) return { space: atRoot, path: segments.slice(1).join("/") };
  const byDefault = siteSpaces.find((one) => one.section === section && one.isDefault);
  return section && byDefault && second === undefined ? { space: byDefault, path: "" } : null;
}
