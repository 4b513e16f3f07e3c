// A variable of the configuration: how it is read, and what is said of it.
import { z } from "zod";
import { readTemplate } from "#src/base/public-urls.ts";

/** One variable. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly fallback?: string;
  readonly about: string;
  /** For the message about a bad value: what would be a good one. */
  readonly wants: string;
  /** The value may hold a password, and is never printed. */
  readonly isSecret?: true;
}

/** A template of addresses, as {@link readTemplate} reads it. */
export function template(form: Parameters<typeof readTemplate>[1]) {
  return z
    .string()
    .transform((text, problem) => {
      const read = readTemplate(text, form);
      if (read === undefined) problem.addIssue("is no template of addresses");
      return read;
    })
    .optional();
}

/** A number of seconds, at least one where it does not say otherwise. */
export function seconds({
  least = 1,
  ...of
}: {
  readonly about: string;
  readonly fallback: string;
  readonly least?: number;
}) {
  const schema = z.coerce.number().int().min(least).max(3600);
  return variable({ ...of, schema, wants: `a whole number from ${least} to 3600` });
}

/** A variable of any kind. */
export function variable<Schema extends z.ZodType>(of: Variable<Schema>): Variable<Schema> {
  return of;
}
