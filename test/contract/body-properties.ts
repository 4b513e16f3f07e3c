// The flattened properties of an operation's body, so that two descriptions of it can be compared.
import type { ContractSchema, OpenApi } from "#test/contract/contract.ts";

/** A property: its types without null, whether it is required, and its allowed values. */
export interface Place {
  readonly types: readonly string[];
  readonly required: boolean;
  readonly values: readonly string[];
}

/**
 * Properties by path: `position.before.type`, `add.[]` for the items of a list, `memberships.*` for any property.
 * Choices are merged. A rich document counts as one property, since it is recursive and a scalar in GraphQL.
 */
export function bodyProperties(openApi: OpenApi, schema: ContractSchema): Map<string, Place> {
  const places = new Map<string, Place>();
  collect([schema], { path: "", required: true });
  return places;

  function collect(schemas: readonly ContractSchema[], { path, required }: { path: string; required: boolean }): void {
    const choices = schemas.flatMap((choice) => choicesOf(openApi, choice));
    const types = new Set(choices.flatMap(({ type = [] }) => type).filter((type) => type !== "null"));
    const values = choices.flatMap((choice) => choice.enum ?? choice.const ?? []).filter((value) => value !== null);
    places.set(path, { types: [...types].toSorted(), required, values: [...new Set(values)].toSorted() });
    if (schemas.some(({ $ref }) => $ref?.endsWith("/RichDocument"))) return;
    const below = (name: string) => (path === "" ? name : `${path}.${name}`);
    const names = new Set(choices.flatMap(({ properties = {} }) => Object.keys(properties)));
    for (const name of names) {
      const found = choices.flatMap(({ properties }) => properties?.[name] ?? []);
      const isRequired = choices.every((choice) => choice.required?.includes(name));
      collect(found, { path: below(name), required: isRequired });
    }
    const items = choices.flatMap((choice) => choice.items ?? []);
    if (items.length > 0) collect(items, { path: below("[]"), required: false });
    const others = choices.flatMap(({ additionalProperties: other }) => (typeof other === "object" ? other : []));
    if (others.length > 0) collect(others, { path: below("*"), required: false });
  }
}

/** The choices of a schema without null, or the schema itself without choices. */
export function choicesOf(openApi: OpenApi, schema: ContractSchema): ContractSchema[] {
  const resolved = openApi.resolve(schema);
  const choices = resolved.oneOf ?? resolved.anyOf;
  if (!choices) return resolved.type === "null" ? [] : [resolved];
  return choices.flatMap((choice) => choicesOf(openApi, choice));
}
