// Forms of body properties that differ from their input types: how each is read, and its JSON Schema.
import type { ErrorDetail } from "#src/base/errors.ts";
import { isRecord, pointerStep } from "#src/base/json.ts";
import { jsonReader, type JsonReader, type Names, readFields } from "#src/rest/request/values.ts";
import { GraphQLID, GraphQLList, GraphQLNonNull, GraphQLString } from "graphql";

export interface JsonForm {
  readonly read: JsonReader;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Its properties by the fields of the input object that they fill, if these have other names. */
  readonly names?: Names;
}

/** Reads a text; not null. */
export const readString: JsonReader = jsonReader(new GraphQLNonNull(GraphQLString));

const required = { required: true, read: jsonReader(new GraphQLNonNull(GraphQLID)) };

interface Kind {
  readonly type: string;
  readonly idName: string;
  readonly field: string;
  /** The description of the id; by default "Its id." */
  readonly description?: string;
}

/** A reference, `{"type": "space", "space": "spc_…"}`, for an input object with a field for each kind: `spaceId`. */
export function referenceForm(kinds: readonly Kind[], description = "The kind of object."): JsonForm {
  const types = kinds.map(({ type }) => type).toSorted();
  const readType: JsonReader = (value, pointer, refused) => {
    if (typeof value === "string" && types.includes(value)) return value;
    refused.push({ path: pointer, message: `must be ${types.length > 1 ? "one of " : ""}${types.join(", ")}.` });
    return undefined;
  };
  const ids = kinds.map(({ idName }) => ({ name: idName, ...required, required: types.length === 1 }));
  const fields = [{ name: "type", required: true, read: readType }, ...ids];
  const idSchemas = kinds.map((kind) => [kind.idName, { type: "string", description: kind.description ?? "Its id." }]);
  return {
    names: Object.fromEntries(kinds.map(({ field, idName }) => [field, idName])),
    read(value, pointer, refused) {
      if (!isRecord(value)) return void refused.push({ path: pointer, message: "must be an object." });
      const { type, ...given } = readFields(fields, value, { pointer, refused });
      const kind = kinds.find((one) => one.type === type);
      if (!kind) return undefined;
      for (const name of Object.keys(given))
        if (ids.some((id) => id.name === name) && name !== kind.idName)
          refused.push({ path: `${pointer}/${name}`, message: `must not be set together with a ${kind.type}.` });
      if (types.length > 1 && !Object.hasOwn(given, kind.idName))
        refused.push({ path: `${pointer}/${kind.idName}`, message: "must be given." });
      return { [kind.field]: given[kind.idName] };
    },
    schema: {
      ...objectSchema({ type: { type: "string", enum: types, description }, ...Object.fromEntries(idSchemas) }),
      required: ["type", ...(types.length === 1 ? kinds.map(({ idName }) => idName) : [])],
    },
  };
}

/** A kind of sibling for a position: the fields are `before<kind>Id` and `after<kind>Id`. */
type Neighbour = Omit<Kind, "field"> & { readonly kind: string };

/** A position such as `{"before": {"type": "site-space", "siteSpace": "ssp_…"}}`, as the field `before<Kind>Id`. */
export function besideForm(neighbours: readonly Neighbour[], description?: string): JsonForm {
  const side = (name: "before" | "after") =>
    referenceForm(
      neighbours.map(({ kind, ...of }) => ({ ...of, field: `${name}${kind}Id` })),
      description,
    );
  const sides = { before: side("before"), after: side("after") };
  const fields = Object.entries(sides).map(([name, { read }]) => ({ name, required: false, read }));
  const read: JsonReader = (value, pointer, refused) => {
    if (!isRecord(value)) return void refused.push({ path: pointer, message: "must be an object." });
    const given = readFields(fields, value, { pointer, refused });
    if (Object.keys(given).length !== 1)
      refused.push({ path: pointer, message: "must set either `before` or `after`, not both." });
    return Object.assign({}, ...Object.values(given)) as unknown;
  };
  const schemas = {
    before: { ...sides.before.schema, description: "Directly before this one." },
    after: { ...sides.after.schema, description: "Directly after this one." },
  };
  return { read, schema: { ...objectSchema(schemas), minProperties: 1, maxProperties: 1 } };
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

/** A text in Markdown, `{"markdown": "…"}`, for the text itself. */
export const markdownForm: JsonForm = {
  read(value, pointer, refused) {
    if (!isRecord(value)) return void refused.push({ path: pointer, message: "must be an object." });
    const fields = [{ name: "markdown", required: false, read: readString }];
    return readFields(fields, value, { pointer, refused })["markdown"];
  },
  schema: objectSchema({ markdown: { type: "string", description: "The text in Markdown." } }),
};
