// The audiences of a site as people read and choose them.
export const visibilities = [
  ["PUBLIC", "Anyone; search engines list it"],
  ["UNLISTED", "Anyone who knows the address"],
  ["SHARE_LINK", "Anyone with a secret link"],
  ["VISITOR_AUTH", "Visitors who have signed in at your own application"],
] as const;

/** Who reads a site with this visibility. */
export const nameOfVisibility = (visibility: string): string =>
  visibilities.find(([value]) => value === visibility)?.[1] ?? visibility;
