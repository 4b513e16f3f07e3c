// Validation of the elements that blocks may draw.
import { expect, test } from "vitest";
import { elementFault } from "#src/features/integrations/model/runs/elements.ts";

const drawn = (...children: unknown[]) => ({ type: "element", element: { type: "block", children } });

test("a block may have elements of the content kit and of unknown kinds", () => {
  const button = { type: "button", label: "Go", style: "primary", onPress: { action: "go" }, disabled: false };
  const image = { type: "image", source: { url: "https://example.com/a.png" } };
  const input = { type: "input", label: "Name", element: { type: "textinput", state: "name" } };
  const chart = { type: "chart", anything: { at: ["all"] } };
  expect(elementFault(drawn(button, image, input, chart, { type: "text", children: ["a", null] }))).toBeNull();
});

test.each([
  ["a text bound to the state", drawn({ type: "markdown", content: { $state: "x" } })],
  ["a number where others have a flag", drawn({ type: "codeblock", content: "x", lineNumbers: 5 })],
  ["an address bound to the state", drawn({ type: "link", target: { url: { $state: "x" } } })],
  ["a list as a hint", drawn({ type: "card", hint: ["a"] })],
  ["an element as a hint", drawn({ type: "input", hint: { type: "text" }, element: { type: "textinput" } })],
  ["options from an address", drawn({ type: "select", options: { url: "https://example.com" } })],
  ["a number as a choice", drawn({ type: "radio", value: 1 })],
  [
    "controls without a type, and in groups",
    { element: { type: "block", controls: [{ label: "a" }, [{ label: "b" }]] } },
  ],
  ["the settings of an installation", { type: "element", element: { type: "configuration", children: [] } }],
  ["a dialogue", { type: "element", element: { type: "modal", subtitle: ["a"], children: [] } }],
  ["the end of a component", { type: "complete", returnValue: {} }],
])("%s is taken", (_name, output) => {
  expect(elementFault(output)).toBeNull();
});

test.each([
  ["no element", null, ""],
  ["another type", { type: "page" }, ""],
  ["another element than a block", { type: "element", element: { type: "text" } }, "/element/type"],
  ["a text in a block", drawn("text"), "/element/children/0"],
  ["a label that is null", drawn({ type: "button", label: null }), "/element/children/0/label"],
  ["an element without a type", drawn({}), "/element/children/0"],
  ["a label that is not a string", drawn({ type: "button", label: 1 }), "/element/children/0/label"],
  ["an action without a name", drawn({ type: "button", onPress: {} }), "/element/children/0/onPress"],
  [
    "an image that runs a script",
    drawn({ type: "image", source: { url: "javascript:1" } }),
    "/element/children/0/source",
  ],
  ["a number as child", drawn({ type: "vstack", children: [1] }), "/element/children/0/children/0"],
  ["too many elements", drawn(...Array.from({ length: 6000 }, () => ({ type: "divider" }))), "/element/children/4999"],
])("a block with %s is refused", (_name, output, path) => {
  expect(elementFault(output)?.path).toBe(path);
});

test("a block with elements that are nested too deeply is refused", () => {
  let element: unknown = { type: "divider" };
  for (let depth = 0; depth < 60; depth += 1) element = { type: "vstack", children: [element] };
  expect(elementFault(drawn(element))?.message).toBe("Elements may be nested at most 50 levels deep.");
});
