// How a field is described: by a text, or, where it is deprecated, with the reason.

/** The description of a field, or that and why it is deprecated. */
export type Description = string | { readonly description: string; readonly deprecationReason: string };

/** The options of a field that is described so. */
export function describedBy(described: Description) {
  return typeof described === "string" ? { description: described } : described;
}
