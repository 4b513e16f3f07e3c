// The files of src/deployment, parsed by tests, and modified to run programs in other places.
import { readFileSync } from "node:fs";

/** The content of a file. */
export const deployed = (name: string): string =>
  readFileSync(new URL(`../../src/deployment/${name}`, import.meta.url), "utf8");

/** The lines `name = value` of a file, whose value may be in quotes. */
export function settingsIn(name: string): Readonly<Record<string, string>> {
  const lines = deployed(name).matchAll(/^(\w+) ?= ?(?:'(.*)'|(.*))$/gm);
  return Object.fromEntries([...lines].map(([, key = "", quoted, bare = ""]) => [key, quoted ?? bare]));
}

/** A file with other values in some of its lines `name = value`. Throws for a missing line. */
export function withSettings(name: string, settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings).reduce((text, [key, value]) => {
    const line = new RegExp(`^${key} = .*$`, "m");
    if (!line.test(text)) throw new Error(`${name} has no line for ${key}.`);
    return text.replace(line, `${key} = ${value}`);
  }, deployed(name));
}
