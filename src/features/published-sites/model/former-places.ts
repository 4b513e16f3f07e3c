// Finds what had a path on a site before: a section that was renamed, or a site space that was renamed or moved.
import type { Place, Shown, ShownSection } from "#src/features/published-sites/model/shown.ts";

/** A path that a section or site space had; `sectionId` is empty for sections and at the root. */
export interface FormerSitePath {
  readonly sectionId: string;
  readonly path: string;
  readonly placeId: string;
}

/** The first segments of a path, which are those of sections and site spaces. */
export const placeNamesIn = (path: string): string[] => segmentsOf(path).slice(0, 2);

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

/** The place at a path whose sections and site spaces may have had other paths. Null without a match. */
export function formerPlaceAt<Of>(shown: Shown<Of>, path: string, former: readonly FormerSitePath[]): Place<Of> | null {
  const idAt = (sectionId: string, name: string | undefined) =>
    former.find((one) => one.sectionId === sectionId && one.path === name)?.placeId;
  const [first, second, ...below] = segmentsOf(path);
  const [section, id] = [shown.sections.find((one) => one.path === first), idAt("", first)];
  const atRoot = section ? undefined : shown.siteSpaces.find((one) => one.id === id);
  if (atRoot) return { space: atRoot, path: segmentsOf(path).slice(1).join("/") };
  const renamed = section ?? shown.sections.find((one) => one.id === id);
  if (!renamed) return null;
  if (second === undefined) return defaultPlaceIn(renamed);
  const space =
    renamed.siteSpaces.find((one) => one.path === second) ??
    shown.siteSpaces.find((one) => one.id === idAt(renamed.id, second));
  return space ? { space, path: below.join("/") } : null;
}

function defaultPlaceIn<Of>({ siteSpaces }: ShownSection<Of>): Place<Of> | null {
  const space = siteSpaces.find(({ isDefault }) => isDefault);
  return space ? { space, path: "" } : null;
}
