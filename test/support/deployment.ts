// The files of src/deployment as tests read them, and run programs by them in other places.
import { readFileSync } from "node:fs";

/** A file as it is there. */
export const deployed = (name: string): string =>
  readFileSync(new URL(`../../src/deployment/${name}`, import.meta.url), "utf8");

/** The lines `name = value` of a file, whose value may be in quotes. */
export function settingsIn(name: string): Readonly<Record<string, string>> {
  const lines = deployed(name).matchAll(/^(\w+) ?= ?(?:'(.*)'|(.*))$/gm);
  return Object.fromEntries([...lines].map(([, key = "", quoted, bare = ""]) => [key, quoted ?? bare]));
}

/** A file in which some of its lines `name = value` have other values. Throws for a line that it does not have. */
export function withSettings(name: string, settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings).reduce((text, [key, value]) => {
    const line = new RegExp(`^${key} = .*$`, "m");
    if (!line.test(text)) throw new Error(`${name} has no line for ${key}.`);
    return text.replace(line, `${key} = ${value}`);
  }, deployed(name));
}
