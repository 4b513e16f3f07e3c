// Web addresses without the parts that may hold secrets, for logs, events and the audit log.

/**
 * An http or https address without its password, query and fragment, which may be secrets; every other text as it is.
 * Three dots stand for a query.
 */
export function plainAddress(text: string): string {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  if (!url || url.href === `${url.origin}${url.pathname}`) return text;
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?..."}`;
}
