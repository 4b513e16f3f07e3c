// The version of a published site from the view of a visitor: equal versions have equal pages.
import { createHash } from "node:crypto";
import type { Shown } from "#src/features/published-sites/model/shown.ts";

/** A hash of the settings of a site, and of the structure and contents that a visitor sees. */
export function versionOf<Site>(settings: object, { groups, sections, siteSpaces }: Shown<Site>): string {
  const parts = [
    settings,
    groups.map(({ id, title, icon }) => [id, title, icon]),
    sections.map(({ of: _of, siteSpaces: _spaces, group, ...values }) => [values, group?.id ?? null]),
    siteSpaces.map(({ of: _of, section, ...values }) => [values, section?.id ?? null]),
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
