// Names: from the input fields and arguments that errors are about, to what callers of REST know them by.
import { type DocumentNode, Kind, type ObjectValueNode, type ValueNode, visit } from "graphql";
import { escaped } from "#src/rest/request/json-value.ts";
import type { Inputs } from "#src/rest/request/inputs.ts";

/** The REST name of a place in the input: a JSON pointer into the body, or the name of a parameter. */
export type NameReader = (path: string) => string;

/**
 * Follows the variables of a document back to what filled them: with `input: { spaceId: $spaceId, parentId: $parent }`
 * and a body that has `parent`, the path `parentId` is `/parent`. The steps of a path are separated by slashes, or else
 * by dots (`position.before` is `/position/before`); JSON pointers and unknown paths stay as they are.
 */
export function restNamesOf(document: DocumentNode, { parameters, properties }: Inputs): NameReader {
  const restOfVariable = new Map(parameters.map(({ name, variable }) => [variable, name]));
  for (const { name } of properties ?? []) restOfVariable.set(name, `/${escaped(name)}`);
  const variables = variablesByPath(document);
  return (path) => {
    if (path.startsWith("/")) return path;
    const steps = path.split(path.includes("/") ? "/" : ".");
    for (let length = steps.length; length > 0; length--) {
      const known = steps.slice(0, length).join(".");
      const rest = restOfVariable.get(variables.get(known) ?? known);
      if (rest === undefined) continue;
      return rest.startsWith("/") ? [rest, ...steps.slice(length).map(escaped)].join("/") : rest;
    }
    return path;
  };
}

/** From paths of arguments and fields of `input` to their variable; paths with several variables are left out. */
function variablesByPath(document: DocumentNode): ReadonlyMap<string, string> {
  const found = new Map<string, string | null>();
  const collect = (path: string, value: ValueNode): void => {
    if (value.kind === Kind.OBJECT) collectFields(`${path}.`, value);
    else if (value.kind === Kind.VARIABLE) {
      const variable = value.name.value;
      found.set(path, found.has(path) && found.get(path) !== variable ? null : variable);
    }
  };
  const collectFields = (prefix: string, { fields }: ObjectValueNode): void => {
    for (const { name, value } of fields) collect(`${prefix}${name.value}`, value);
  };
  visit(document, {
    Argument({ name, value }) {
      if (name.value === "input" && value.kind === Kind.OBJECT) collectFields("", value);
      else collect(name.value, value);
    },
  });
  return new Map([...found].flatMap(([path, variable]) => (variable === null ? [] : [[path, variable] as const])));
}
