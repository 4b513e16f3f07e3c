// Answers written by plans: the REST form of rows, and what is written around them.
import { getNamedType, getNullableType, isListType } from "graphql";
import type { ResponseShape } from "#src/plan/response-shape.ts";
import type { AnswerWriter } from "#src/plan/plan.ts";
import { Unsupported } from "#src/plan/unsupported.ts";
import { writtenFieldOf } from "#src/rest/own-fields.ts";
import type { Route } from "#src/rest/route.ts";
import { keepsNull, restEntryOf, restReference, restTreeOf, restValuesOf } from "#src/rest/type-forms.ts";

/** The form that `projectorOf` gives to data, for rows. */
export const restForm: ResponseShape = {
  namesOf(type) {
    const values = restValuesOf(type);
    return (name) => values.get(name) ?? name;
  },
  omitsNull: (type) => isListType(getNullableType(type)) || !keepsNull(getNamedType(type)),
  omitsEmpty: true,
  treeOf: restTreeOf,
  entryOf: restEntryOf,
  reference: restReference,
  ownField: writtenFieldOf,
};

/** Writes the answer of a route: what `answererOf` makes of data. Throws {@link Unsupported} where it has none. */
export function writerOf({ answer: way, list, beside = {} }: Route): (root: AnswerWriter) => void {
  const above = way.slice(0, -1);
  const last = way.at(-1);
  const names = Object.keys(beside);
  return (root) => {
    if (last === undefined) return root.write();
    const parent = above.reduce(below, root);
    if (list) writePage(below(parent, last), names);
    else parent.writeAt(last);
  };
}

function below(parent: AnswerWriter, name: string): AnswerWriter {
  const object = parent.at(name);
  if (!object) throw new Unsupported("nothing on the way to the answer");
  return object;
}

function writePage(connection: AnswerWriter, beside: readonly string[]): void {
  const { out } = connection;
  const pageInfo = below(connection, "pageInfo");
  out.json('{"items":');
  connection.writeAt("nodes");
  out.json(`,"count":${String(connection.value("totalCount"))}`);
  if (pageInfo.value("hasNextPage") === true)
    out.json(`,"next":{"page":${JSON.stringify(pageInfo.value("endCursor"))}}`);
  for (const name of beside) {
    out.json(`,${JSON.stringify(name)}:`);
    connection.writeAt(name);
  }
  out.byte(0x7d);
}
