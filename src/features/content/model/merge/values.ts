// The plain values that pages are merged by: JSON, as the fields of a page hold it.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Fields = Readonly<Record<string, Json>>;
