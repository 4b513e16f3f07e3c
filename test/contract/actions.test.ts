// Actions are named in one way, and the registry has them all.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { actionsIn } from "#src/domain/change.ts";
import { features } from "#src/features/index.ts";

test("every action that a feature exports is in the registry, is called mayVerb, and named as noun and verb", async () => {
  const accesses = features
    .map(({ name, actions = [] }) => ({
      actions,
      file: new URL(`../../src/features/${name}/access.ts`, import.meta.url),
    }))
    .filter(({ file }) => existsSync(file));
  for (const { actions, file } of accesses) {
    const access: object = await import(file.pathname);
    expect(actionsIn(access)).toEqual(actions);
    const constants = Object.entries(access).filter(([, value]) => actions.includes(value));
    expect(constants.map(([name]) => name).filter((name) => !/^may[A-Z]/.test(name))).toEqual([]);
  }
  const names = features.flatMap(({ actions = [] }) => actions.map(({ name }) => name));
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
