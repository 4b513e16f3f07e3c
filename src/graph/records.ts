// Object types whose fields are all of one kind, so that names and descriptions define them: flags, and texts.
import type { ObjectRef } from "@pothos/core";
import { builder, type Types } from "#src/graph/builder.ts";
import { limited, type SchemaLimits } from "#src/graph/rest-forms.ts";

type Descriptions<Name extends string> = Readonly<Record<Name, string>>;

/** Defines an object type of flags, such as what a viewer may do. */
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

/** Defines an object type of texts, such as links; those of `describeNullable` may be null. */
export function defineTexts<Text extends string, MayBeNull extends string = never>(
  name: string,
  description: string,
  describe: Descriptions<Text>,
  describeNullable = {} as Descriptions<MayBeNull>,
  limits: SchemaLimits = {},
): ObjectRef<Types, Readonly<Record<Text, string>> & { readonly [Name in MayBeNull]?: string | null }> {
  const ref = builder.objectRef<Record<string, string>>(name);
  const extensions = limited(limits);
  ref.implement({
    description,
    fields: (t) => ({
      ...each(describe, (field, description) => t.exposeString(field, { description, extensions })),
      ...each(describeNullable, (field, description) =>
        t.exposeString(field, { nullable: true, description, extensions }),
      ),
    }),
  });
  return ref as unknown as ReturnType<typeof defineTexts<Text, MayBeNull>>; // its fields are the texts
}

/** Defines an object type of links: texts that are addresses. */
export function defineLinks<Text extends string, MayBeNull extends string = never>(
  name: string,
  description: string,
  describe: Descriptions<Text>,
  describeNullable = {} as Descriptions<MayBeNull>,
): ReturnType<typeof defineTexts<Text, MayBeNull>> {
  return defineTexts(name, description, describe, describeNullable, { format: "uri" });
}

function each<Field>(describe: Descriptions<string>, make: (name: string, description: string) => Field) {
  return Object.fromEntries(Object.entries(describe).map(([name, description]) => [name, make(name, description)]));
}
