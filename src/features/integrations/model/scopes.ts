// What the scopes of an integration let its installations do.

/** Those by which an installation reads the spaces that it is active on, and hears of them. */
export const readingScopes: readonly string[] = ["space:content:read", "space:content:write", "space:metadata:read"];
