// The people of the demo, all at example.com.
import { newToken } from "#src/access/tokens.ts";
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { Rows } from "#src/demo/rows.ts";

const names = {
  mara: "Mara Lindqvist",
  jonas: "Jonas Okafor",
  priya: "Priya Venter",
  tomas: "Tomas Halvorsen",
  elif: "Elif Marsh",
  noor: "Noor Castell",
  sam: "Sam Whitlock",
  ines: "Ines Barros",
  leo: "Leo Quist",
  dana: "Dana Rusk",
  ravi: "Ravi Sorensen",
  june: "June Alder",
  otto: "Otto Field",
};

export type PersonName = keyof typeof names;
export const personNames = Object.keys(names) as PersonName[]; // the very keys
/** Ids of the users. */
export type People = Record<PersonName, string>;

/** Adds the people; `token` is a valid API token of Mara, who is the demo's admin. */
export function addPeople(rows: Rows): { people: People; token: string } {
  const ids = personNames.map((name) => [name, newId("User")]);
  const people = Object.fromEntries(ids) as People; // made from the very names
  for (const [name, displayName] of Object.entries(names)) {
    rows.add("User", {
      id: people[name as PersonName], // Object.entries widens the key
      email: `${displayName.toLowerCase().replace(" ", ".")}@example.com`,
      displayName,
      photoURL: name === "leo" ? null : `https://avatars.example.com/${name}.png`,
      createdAt: at(0, "8:00"),
    });
  }
  const { token, hash } = newToken();
  rows.add("ApiToken", { id: newId("ApiToken"), userId: people.mara, name: "Demo", hash, createdAt: at(0, "8:30") });
  return { people, token };
}
