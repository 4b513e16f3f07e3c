// The fields that say on which spaces and sites an installation is.
import { optionsOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";

/** What an integration is made for. */
export type Target = "ALL" | "ORGANIZATION" | "SITE" | "SPACE";

type Name = "spaceSelection" | "siteSelection";

const selections = [
  ["ALL", "all of them, and new ones"],
  ["SELECTED", "those that I choose"],
] as const;

/** The fields for an integration with this target; `valueOf` returns the present value of a field. */
export const selectionFields = (target: Target, valueOf: (name: Name) => string): Html =>
  html`${target === "SPACE" || target === "ALL" ? fieldOf("spaceSelection", "spaces", valueOf) : ""}
  ${target === "SITE" || target === "ALL" ? fieldOf("siteSelection", "sites", valueOf) : ""}`;

const fieldOf = (name: Name, noun: string, valueOf: (name: Name) => string): Html =>
  html`<label>
    On ${noun}
    <select name="${name}">
      ${optionsOf(selections, valueOf(name))}
    </select>
  </label>`;

/** The selections that such a form contains. */
export const selectionsIn = (fields: URLSearchParams): Readonly<Partial<Record<Name, string>>> =>
  Object.fromEntries(
    (["spaceSelection", "siteSelection"] as const).flatMap((name) => {
      const value = fields.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
