// Writes example values as XML by the `xml` objects of their schemas.
import { isRecord } from "#src/base/json.ts";
import { type Keywords, type Lookup } from "#src/features/openapi/model/lookup.ts";
import { textOf } from "#src/features/openapi/model/pages/markdown.ts";
import { scalarText } from "#src/features/openapi/model/pages/serialize.ts";
import { firstItemsOf, isObject, otherItemsOf, shapeOf } from "#src/features/openapi/model/pages/shape.ts";

const deepest = 50;

/** A value as an XML document. */
export function xmlOf(lookup: Lookup, value: unknown, schema: unknown): string {
  const { model, keywords } = lookup.schema(schema);
  const root = nameOf(keywords, model ?? "root");
  const lines = new Writer(lookup).element(root, value, { schema, level: 0 });
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...lines].join("\n");
}

type Xml = Readonly<Record<string, unknown>>;
type At = { readonly schema: unknown; readonly level: number };

const xmlIn = ({ xml }: Keywords): Xml => (isRecord(xml) ? xml : {});

/** A name that XML allows, with the prefix. */
function nameOf(keywords: Keywords, preset: string): string {
  const { name, prefix } = xmlIn(keywords);
  const own = safeName(typeof name === "string" && name !== "" ? name : preset);
  return typeof prefix === "string" && prefix !== "" ? `${safeName(prefix)}:${own}` : own;
}

const safeName = (name: string): string =>
  textOf(name)
    .replaceAll(/[^\p{L}\p{N}_.:-]+/gu, "_")
    .replace(/^(?=[^\p{L}_])/u, "_") || "_";

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);

const isAttribute = ({ attribute, nodeType }: Xml): boolean => attribute === true || nodeType === "attribute";
const isWrapped = ({ wrapped, nodeType }: Xml): boolean => wrapped === true || nodeType === "element";

class Writer {
  readonly #lookup: Lookup;

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  element(name: string, value: unknown, { schema, level }: At): string[] {
    const { keywords } = this.#lookup.schema(schema);
    const { namespace, prefix } = xmlIn(keywords);
    const space = typeof prefix === "string" && prefix !== "" ? `xmlns:${safeName(prefix)}` : "xmlns";
    const attributes = typeof namespace === "string" ? [` ${space}="${escaped(namespace)}"`] : [];
    if (value === null || level > deepest) return [`<${name}${attributes.join("")}/>`];
    const inside = Array.isArray(value)
      ? this.#items(value, keywords, { name, level })
      : isObject(value)
        ? this.#members(value, keywords, { attributes, level })
        : escaped(scalarText(value));
    const start = `${name}${attributes.join("")}`;
    if (typeof inside === "string") return [`<${start}>${inside}</${name}>`];
    return inside.length === 0 ? [`<${start}/>`] : [`<${start}>`, ...inside.map((line) => `  ${line}`), `</${name}>`];
  }

  #items(values: readonly unknown[], keywords: Keywords, { name, level }: { name: string; level: number }): string[] {
    const first = firstItemsOf(keywords);
    return values.flatMap((value, index) => {
      const schema = first[index] ?? otherItemsOf(keywords);
      const found = this.#lookup.schema(schema);
      const preset = level === 0 ? (found.model ?? "item") : name;
      return this.element(nameOf(found.keywords, preset), value, { schema, level: level + 1 });
    });
  }

  /** The elements in an object, or its text; its attributes are added to the list. */
  #members(value: object, keywords: Keywords, at: { attributes: string[]; level: number }): string[] | string {
    const { properties } = shapeOf(this.#lookup, keywords);
    const lines: string[] = [];
    let text: string | null = null;
    for (const [key, one] of Object.entries(value) as [string, unknown][]) {
      const schema = properties.get(key) ?? keywords["additionalProperties"] ?? true;
      const own = this.#lookup.schema(schema).keywords;
      const xml = xmlIn(own);
      const name = nameOf(own, key);
      if (isAttribute(xml)) at.attributes.push(` ${name}="${escaped(scalarText(one))}"`);
      else if (xml["nodeType"] === "text" || xml["nodeType"] === "cdata") text = escaped(scalarText(one));
      else if (Array.isArray(one) && !isWrapped(xml))
        lines.push(...this.#items(one, own, { name: safeName(key), level: at.level + 1 }));
      else lines.push(...this.element(name, one, { schema, level: at.level + 1 }));
    }
    return lines.length === 0 && text !== null ? text : lines;
  }
}
