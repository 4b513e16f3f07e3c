// Checks of input that many commands share.
import { expect, test } from "vitest";
import { oneOf } from "#src/domain/input.ts";

test("a choice of exactly one input returns its name and value, or an error that names all", () => {
  const [name, value] = oneOf("a", { a: null, b: "", c: undefined });
  expect([name, value]).toEqual(["b", ""]);
  expect(() => oneOf("a", { a: null, b: undefined })).toThrow("a: must set exactly one of a and b.");
  expect(() => oneOf("b", { a: 0, b: false, c: null })).toThrow("b: must set exactly one of a, b and c.");
});
