// Forms of properties of a body that are not those of their input types: how each is read, and its JSON Schema.
import type { ErrorDetail } from "#src/base/errors.ts";
import { isRecord, pointerStep } from "#src/base/json.ts";
import { jsonReader, type JsonReader, readFields } from "#src/rest/request/values.ts";
import { GraphQLID, GraphQLList, GraphQLNonNull } from "graphql";

/** A form of a property. */
export interface JsonForm {
  readonly read: JsonReader;
  readonly schema: Readonly<Record<string, unknown>>;
}

const required = { required: true, read: jsonReader(new GraphQLNonNull(GraphQLID)) };

/**
 * A position such as `{"before": {"type": "site-space", "siteSpace": "ssp_…"}}`, as the input field `before<Kind>Id`.
 */
export function besideForm({ type, idName, kind }: { type: string; idName: string; kind: string }): JsonForm {
  const readType: JsonReader = (value, pointer, refused) => {
    if (value !== type) refused.push({ path: pointer, message: `must be ${type}.` });
  };
  const neighbour = [
    { name: "type", required: true, read: readType },
    { name: idName, ...required },
  ];
  const read: JsonReader = (value, pointer, refused) => {
    const sides = ["before", "after"].map((name) => ({ name, required: false, read: readNeighbour }));
    if (!isRecord(value)) return void refused.push({ path: pointer, message: "must be an object." });
    const fields = readFields(sides, value, { pointer, refused });
    if (Object.keys(fields).length !== 1)
      refused.push({ path: pointer, message: "must set exactly one of before, after." });
    return Object.fromEntries(Object.entries(fields).map(([side, id]) => [`${side}${kind}Id`, id]));
  };
  const readNeighbour: JsonReader = (value, pointer, refused) => {
    if (!isRecord(value)) return void refused.push({ path: pointer, message: "must be an object." });
    return readFields(neighbour, value, { pointer, refused })[idName];
  };
  const beside = (description: string) => ({
    ...objectSchema({
      type: { type: "string", enum: [type], description: "What it is." },
      [idName]: { type: "string", description: "Its id." },
    }),
    required: ["type", idName],
    description,
  });
  const sides = { before: beside("Right before this one."), after: beside("Right after this one.") };
  return { read, schema: { ...objectSchema(sides), minProperties: 1, maxProperties: 1 } };
}

const objectSchema = (properties: object) => ({ type: "object", additionalProperties: false, properties });

/** A list of ids, or one word, for an input object with a field for each. */
export function idsOrWord({ ids, word, field }: { ids: string; word: string; field: string }): JsonForm {
  const readIds = jsonReader(new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLID))));
  return {
    read(value, pointer, refused) {
      if (value === word) return { [field]: {} };
      if (Array.isArray(value)) return { [ids]: readIds(value, pointer, refused) };
      return void refused.push({ path: pointer, message: `must be an array of ids, or ${word}.` });
    },
    schema: {
      oneOf: [
        { type: "array", items: { type: "string" } },
        { type: "string", const: word },
      ],
    },
  };
}

const readFileKind: JsonReader = (value, pointer, refused) => {
  if (value !== "file") refused.push({ path: pointer, message: "must be file." });
};

/** References to files by names, `{"contentRefs": {"logo": {"kind": "file", "file": "fil_…"}}}`, for a list of them. */
export function fileReferencesForm(): JsonForm {
  const reference = [
    { name: "kind", required: true, read: readFileKind },
    { name: "file", ...required },
  ];
  const asObject = (read: (value: Record<string, unknown>, pointer: string, refused: ErrorDetail[]) => unknown) =>
    ((value, pointer, refused) =>
      isRecord(value)
        ? read(value, pointer, refused)
        : void refused.push({ path: pointer, message: "must be an object." })) satisfies JsonReader;
  const readReference = asObject((value, pointer, refused) => readFields(reference, value, { pointer, refused }));
  const readByName = asObject((names, pointer, refused) =>
    Object.entries(names).map(([name, value]) => {
      const fields = readReference(value, `${pointer}/${pointerStep(name)}`, refused);
      return { name, fileId: isRecord(fields) ? fields["file"] : undefined };
    }),
  );
  const inParams = [{ name: "contentRefs", required: false, read: readByName }];
  const fileSchema = {
    ...objectSchema({ kind: { type: "string", const: "file" }, file: { type: "string", description: "Its id." } }),
    required: ["kind", "file"],
  };
  return {
    read: asObject((value, pointer, refused) => readFields(inParams, value, { pointer, refused })["contentRefs"] ?? []),
    schema: objectSchema({ contentRefs: { type: "object", additionalProperties: fileSchema } }),
  };
}
