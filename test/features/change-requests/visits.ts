// Visits of the pages of change requests: forms by their names, and the parts of a page.
import { textOf as textWithSpaces, visitorOf } from "#test/features/content/visiting.ts";
import type { TestApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

/** The text of a part of a page, without its tags. */
export const textOf = (part: string): string => textWithSpaces(part).trim();

/** The elements with a name that contain a text; they do not contain others of that name. */
export const elementsIn = (body: string, name: string, containing = ""): string[] =>
  (body.match(new RegExp(`<${name}[\\s>].*?</${name}\\s*>`, "gs")) ?? []).filter((one) => one.includes(containing));

export async function visitAs(app: TestApp, person: Person) {
  const { read, send } = await visitorOf(app, person);
  return {
    read,
    /** Sends a form; with another `origin`, as a page elsewhere does. */
    send: (path: string, form: string, fields: Readonly<Record<string, string>> = {}, origin?: string | null) =>
      send(path, { form, ...fields }, origin),
  };
}
