// Object types whose fields are all of one kind, defined by names and descriptions: flags, and texts.
import type { ObjectRef } from "@pothos/core";
import { builder, type Types } from "#src/graph/schema/builder.ts";
import { limited, type SchemaLimits } from "#src/graph/schema/rest-forms.ts";

type Descriptions<Name extends string> = Readonly<Record<Name, string>>;

/** Defines an object type of flags, such as the permissions of a viewer. */
export function defineFlags<Flag extends string>(
  name: string,
  description: string,
  describe: Descriptions<Flag>,
): ObjectRef<Types, Readonly<Record<Flag, boolean>>> {
  const ref = builder.objectRef<Record<string, boolean>>(name);
  ref.implement({
    description,
    fields: (t) => each(describe, (field, description) => t.exposeBoolean(field, { description })),
  });
  return ref as unknown as ReturnType<typeof defineFlags<Flag>>; // its fields are the flags
}

/** Makes a function that defines object types of texts with limits; those of `describeNullable` may be null. */
const definerOfTexts =
  (limits: SchemaLimits) =>
  <Text extends string, MayBeNull extends string = never>(
    name: string,
    description: string,
    describe: Descriptions<Text>,
    describeNullable = {} as Descriptions<MayBeNull>,
  ): ObjectRef<Types, Texts<Text, MayBeNull>> => {
    const ref = builder.objectRef<Record<string, string>>(name);
    const extensions = limited(limits);
    ref.implement({
      description,
      fields: (t) => ({
        ...each(describe, (field, text) => t.exposeString(field, { description: text, extensions })),
        ...each(describeNullable, (field, text) =>
          t.exposeString(field, { nullable: true, description: text, extensions }),
        ),
      }),
    });
    return ref as unknown as ObjectRef<Types, Texts<Text, MayBeNull>>; // its fields are the texts
  };

type Texts<Text extends string, MayBeNull extends string> = Readonly<Record<Text, string>> & {
  readonly [Name in MayBeNull]?: string | null;
};

/** Defines an object type of texts; those of `describeNullable` may be null. */
export const defineTexts = definerOfTexts({});

/** Defines an object type of links, which are addresses; those of `describeNullable` may be null. */
export const defineLinks = definerOfTexts({ format: "uri" });

function each<Field>(describe: Descriptions<string>, make: (name: string, description: string) => Field) {
  return Object.fromEntries(Object.entries(describe).map(([name, description]) => [name, make(name, description)]));
}
