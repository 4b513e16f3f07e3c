// Checks documents from outside step by step; errors have JSON pointers. Anything that the contract allows is kept.
import { invalidInput } from "#src/base/errors.ts";
import { pointerStep } from "#src/base/json.ts";
import { isAllowedAddress, mustBeAllowedAddress } from "#src/documents/addresses.ts";
import { aligns, documentLimit, tooDeep, tooMany } from "#src/documents/document.ts";
import type { NodeData, PlainDocument, PlainElement, PlainLeaf } from "#src/documents/document.ts";
import type { PlainMark, PlainNode } from "#src/documents/document.ts";
import { readReference } from "#src/documents/references.ts";
import { isStorable, mustBeStorable } from "#src/base/text/forms.ts";

type Properties = Readonly<Record<string, unknown>>;

/** The document without keys. Throws INVALID_INPUT for invalid forms, texts and addresses, and beyond the limits. */
export function checkDocument(given: unknown, path: string): PlainDocument {
  const { data, nodes } = propertiesOf(given, path);
  const settings = dataOf(data, path);
  if (settings?.["schemaVersion"] !== undefined && typeof settings["schemaVersion"] !== "number")
    throw invalidInput(`${path}/data/schemaVersion`, "must be a number.");
  return { ...(settings && { data: settings }), nodes: new Checker().blocks(nodes, `${path}/nodes`) };
}

/** The types whose `data.ref` is a reference. In other types it may have any value. */
const referring: ReadonlySet<string> = new Set(["link", "image", "definition"]);

class Checker {
  #count = 0;

  blocks(value: unknown, path: string): PlainElement[] {
    return listOf(value, path).map((node, index) => {
      const at = `${path}/${index}`;
      const given = propertiesOf(node, at);
      objectOf(given, at, ["block"]);
      return this.#element(given, at, 1);
    });
  }

  #node(value: unknown, path: string, level: number): PlainNode {
    const given = propertiesOf(value, path);
    const object = objectOf(given, path, ["block", "inline", "text"]);
    if (object !== "text") return this.#element(given, path, level);
    const leaves = listOf(given["leaves"], `${path}/leaves`).map((leaf, index) =>
      leafOf(leaf, `${path}/leaves/${index}`),
    );
    return { ...furtherOf(given, path, ["object", "key", "leaves"]), object, leaves };
  }

  #element(given: Properties, path: string, level: number): PlainElement {
    // A code block contains lines and texts, but is one level in Markdown.
    if (level > documentLimit.levels + 2) throw tooDeep();
    if (++this.#count > documentLimit.nodes) throw tooMany();
    const { object, isVoid, nodes } = given;
    const type = requiredText(given["type"], `${path}/type`);
    const data = dataOf(given["data"], path);
    checkSettings(data, { path: `${path}/data`, isBlock: object === "block", type });
    return {
      ...furtherOf(given, path, ["object", "type", "key", "isVoid", "data", "nodes"]),
      object: object as PlainElement["object"], // checked by the caller
      type,
      ...(typeof isVoid === "boolean" && { isVoid }),
      ...(data && { data }),
      ...(nodes != null && {
        nodes: listOf(nodes, `${path}/nodes`).map((node, index) =>
          this.#node(node, `${path}/nodes/${index}`, level + 1),
        ),
      }),
    };
  }
}

function checkSettings(data: NodeData | undefined, of: { path: string; isBlock: boolean; type: string }): void {
  const { path, isBlock, type } = of;
  if (isBlock && data?.["align"] != null && !aligns.some((align) => align === data["align"]))
    throw invalidInput(`${path}/align`, `must be one of ${aligns.join(", ")}.`);
  if (data?.["ref"] == null || !referring.has(type)) return;
  const reference = readReference(data["ref"]);
  if ("message" in reference) throw invalidInput(`${path}/ref/${reference.at}`, reference.message);
}

function leafOf(value: unknown, path: string): PlainLeaf {
  const given = propertiesOf(value, path);
  const text = requiredText(given["text"], `${path}/text`);
  const marks = listOf(given["marks"], `${path}/marks`).map((mark, index) => markOf(mark, `${path}/marks/${index}`));
  return { ...furtherOf(given, path, ["object", "text", "marks"]), text, ...(marks.length > 0 && { marks }) };
}

function markOf(value: unknown, path: string): PlainMark {
  const given = propertiesOf(value, path);
  const type = requiredText(given["type"], `${path}/type`);
  const data = dataOf(given["data"], path);
  return { ...furtherOf(given, path, ["object", "type", "data"]), type, ...(data && { data }) };
}

function propertiesOf(value: unknown, path: string): Properties {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidInput(path, "must be an object.");
  return Object.fromEntries(Object.entries(value)); // only its own, also when one is called like one of every object
}

function objectOf<Kind extends string>(given: Properties, path: string, kinds: readonly Kind[]): Kind {
  const object = kinds.find((kind) => kind === given["object"]);
  if (object === undefined) throw invalidInput(`${path}/object`, `must be one of ${kinds.join(", ")}.`);
  return object;
}

/** Text without NUL and lone surrogates, which PostgreSQL cannot store. */
function requiredText(value: unknown, path: string): string {
  if (value == null) throw invalidInput(path, "must be given.");
  if (typeof value !== "string") throw invalidInput(path, "must be a string.");
  if (!isStorable(value)) throw invalidInput(path, mustBeStorable);
  return value;
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (value == null) return [];
  if (!Array.isArray(value)) throw invalidInput(path, "must be a list.");
  return value;
}

function dataOf(value: unknown, path: string): NodeData | undefined {
  if (value == null) return undefined;
  const data = propertiesOf(value, `${path}/data`);
  checkJson(data, `${path}/data`);
  return data;
}

/** Properties that the contract does not define: they may have any value. */
function furtherOf(given: Properties, path: string, known: readonly string[]): Properties {
  const further = Object.entries(given).filter(([name]) => !known.includes(name));
  for (const [name, value] of further) checkJson({ [name]: value }, path);
  return Object.fromEntries(further);
}

/** The properties that contain an address, in any node or mark. */
const addressNames: ReadonlySet<string> = new Set(["url", "href", "src"]);

/** Names and texts anywhere in a value of JSON must be storable, and addresses must be allowed. */
function checkJson(value: unknown, path: string, level = 0): void {
  if (level > documentLimit.levels) throw tooDeep();
  if (typeof value === "string" && !isStorable(value)) throw invalidInput(path, mustBeStorable);
  if (typeof value !== "object" || value === null) return;
  for (const [name, inside] of Object.entries(value)) {
    if (!isStorable(name)) throw invalidInput(path, mustBeStorable);
    if (addressNames.has(name) && typeof inside === "string" && !isAllowedAddress(inside))
      throw invalidInput(`${path}/${name}`, mustBeAllowedAddress);
    checkJson(inside, `${path}/${pointerStep(name)}`, level + 1);
  }
}
