// New names for arguments and input fields, beside which the former ones go on working: how they are declared, and the
// plugin for Pothos that gives resolvers what came under either name under the new one.
import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from "@pothos/core";
import type { GraphQLResolveInfo } from "graphql";
import { type Naming, namingOf, underNewNames } from "#src/plan/new-names.ts";

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      renamed: Renamed<Types>;
    }
  }
}

/** Makes a field with the options that say of its names. */
type Make<Ref> = (naming: object) => Ref;

/** The options of a field that former ones lead to. Where it is required, one of all must be given. */
const now: { readonly extensions: Naming } = { extensions: { mustBeGiven: false } };

const formerly = (to: string, shown = to): { readonly deprecationReason: string; readonly extensions: Naming } => ({
  deprecationReason: `Use \`${shown}\`.`,
  extensions: { renamedTo: to },
});

/**
 * An argument or input field under a new name, and under its former one, which is deprecated. `make` makes the two,
 * unless `makeFormer` makes the former one of another type. A required one may be given under either name. Resolvers
 * see the new name only.
 */
export function renamed<To extends string, Ref>(
  to: To,
  from: string,
  make: Make<Ref>,
  makeFormer: Make<unknown> = make,
): Record<To, Ref> {
  const fields = { [to]: make(now), [from]: makeFormer(formerly(to)) };
  return fields as Record<To, Ref>; // nobody needs to know of the other one
}

/**
 * A field of an input object, and the fields whose place it took, which are deprecated: they had the names that the
 * fields of the object have. Resolvers see the object only.
 */
export function gathered<To extends string, Ref>(
  to: To,
  make: Make<Ref>,
  former: Readonly<Record<string, Make<unknown>>>,
): Record<To, Ref> {
  const before = Object.entries(former).map(([name, makeOne]) => [name, makeOne(formerly(`${to}/${name}`, to))]);
  return { [to]: make(now), ...Object.fromEntries(before) } as Record<To, Ref>; // as above
}

class Renamed<Types extends SchemaTypes> extends BasePlugin<Types> {
  /** What may come under two names is required under neither: the check comes when both are known. */
  override onInputFieldConfig(field: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> {
    const naming = namingOf({ extensions: field.extensions ?? {} });
    if (naming.renamedTo === undefined && naming.mustBeGiven === undefined) return field;
    const mustBeGiven = naming.mustBeGiven || (naming.renamedTo === undefined && field.type.required);
    return { ...field, type: { ...field.type, required: false }, extensions: { ...naming, mustBeGiven } };
  }

  /** Arguments are read under their names of now, whatever their field does with them. */
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const mayHave = ({ type, extensions }: PothosInputFieldConfig<Types>) =>
      type.kind === "List" || type.kind === "InputObject" || namingOf({ extensions: extensions ?? {} }).renamedTo;
    if (!Object.values(field.args).some(mayHave)) return field;
    const map: (typeof field.argMappers)[number] = (args, _context, info) => {
      const { parentType, fieldName } = info as GraphQLResolveInfo; // as graphql-js calls it
      return underNewNames(parentType.getFields()[fieldName]?.args ?? [], args);
    };
    return { ...field, argMappers: [...field.argMappers, map] };
  }
}

/** The name of the plugin. */
export const renames = "renamed";

SchemaBuilder.registerPlugin(renames, Renamed);
