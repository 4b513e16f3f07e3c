// A variable of the configuration: its schema, its description, and the common kinds of variables.
import { z } from "zod";

export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly fallback?: string;
  readonly about: string;
  /** The allowed values, for the message about an invalid one. */
  readonly wants: string;
  /** The value may contain a password, and is never printed. */
  readonly isSecret?: true;
}

type Described = Pick<Variable, "about" | "fallback">;

export const variable = <Schema extends z.ZodType>(of: Variable<Schema>): Variable<Schema> => of;

/** A whole number. */
export function whole({ least = 1, most, ...of }: Described & { readonly least?: number; readonly most?: number }) {
  const schema = z.coerce
    .number()
    .int()
    .min(least)
    .max(most ?? Number.MAX_SAFE_INTEGER);
  return variable({
    ...of,
    schema,
    wants: `a whole number from ${least} ${most === undefined ? "or more" : `to ${most}`}`,
  });
}

export const seconds = (of: Described & { readonly least?: number }) => whole({ ...of, most: 3600 });

/** A switch that is off by default. */
export const onOff = (about: string, fallback = "off") =>
  variable({ schema: z.enum(["on", "off"]), fallback, about, wants: "on or off" });

/** A text that `read` parses; it returns null for invalid ones. */
export const parsed = <Value>(read: (text: string) => Value | null) =>
  z
    .string()
    .transform((text, problem) => {
      const value = read(text);
      if (value !== null) return value;
      problem.addIssue("is not valid");
      return z.NEVER;
    })
    .optional();

export const listOf = (isValid: (item: string) => boolean = () => true) =>
  parsed((text) => {
    const items = text.split(",").map((item) => item.trim());
    return items.every(isValid) ? items : null;
  });
