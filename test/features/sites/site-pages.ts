// What tests of the pages of sites share: a site with the person who reads its pages, and what is in a page.
import type { TestApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";
import type { World } from "#test/support/world.ts";

/** The alerts of a page, as text. */
export const alertsIn = (body: string): string[] =>
  [...body.matchAll(/<p class="problem" role="alert">([^<]*)<\/p>/g)].map(([, text = ""]) => textOf(text));

/** The names of the forms of a page. */
export const formsIn = (body: string): string[] => [
  ...new Set([...body.matchAll(/name="form" value="(\w+)"/g)].map(([, name = ""]) => name)),
];

/** A site with everything, its path, and one person who reads its pages. */
export async function siteFor(app: TestApp, world: World, role: "admin" | "creator" | "reader") {
  const made = await world.site();
  const path = `/app/orgs/${made.organization.id}/sites/${made.site.id}`;
  return { ...made, path, own: await readerOf(app, made[role]) };
}
