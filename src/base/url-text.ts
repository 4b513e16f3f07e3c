// Parts of URLs: percent-decoding, and addresses without secrets.

/** The decoded part of a URL; null if it is not percent-encoded UTF-8. */
export function percentDecoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** An http(s) address without password, query and fragment, which may be secrets; other texts unchanged. */
export function plainAddress(text: string): string {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  if (!url || url.href === `${url.origin}${url.pathname}`) return text;
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?..."}`;
}
