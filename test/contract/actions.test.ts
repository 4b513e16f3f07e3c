// Actions are named uniformly, and are all in the registry.
import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { actionsIn } from "#src/domain/change.ts";
import { features } from "#src/features/index.ts";

/** The access files of a feature. */
function accessOf(folder: string): URL[] {
  const [file, further] = [`${folder}/access.ts`, `${folder}/access`].map((path) => new URL(path, import.meta.url));
  const more = further && existsSync(further) ? readdirSync(further).toSorted() : [];
  return [...(file && existsSync(file) ? [file] : []), ...more.map((name) => new URL(`${further?.href}/${name}`))];
}

test("every exported action is in the registry, is called mayVerb, and is named by noun and verb", async () => {
  const accesses = features
    .map(({ name, actions = [] }) => ({ actions, files: accessOf(`../../src/features/${name}`) }))
    .filter(({ files }) => files.length > 0);
  for (const { actions, files } of accesses) {
    const all = await Promise.all(files.map(async (file): Promise<object> => import(file.pathname)));
    const access = Object.assign({}, ...all) as object;
    expect(actionsIn(access)).toEqual(actions);
    const constants = Object.entries(access).filter(([, value]) => actions.includes(value));
    expect(constants.map(([name]) => name).filter((name) => !/^may[A-Z]/.test(name))).toEqual([]);
  }
  const names = features.flatMap(({ actions = [] }) => actions.map(({ name }) => name));
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
