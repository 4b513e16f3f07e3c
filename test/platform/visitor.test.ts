// The rule for read access to a site, by its visibility and the credentials of the request.
import { describe, expect, test } from "vitest";
import type { Claims } from "#src/base/visitor-claims.ts";
import { visit, visitedColumns, type Visit, type VisitedSite, type VisitorCredentials } from "#src/access/visitor.ts";
import { makeViewer, nobody, type Viewer } from "#src/access/viewer.ts";

const organizationId = "org_here";
const person = (role: "read" | null, organization = organizationId): Viewer =>
  makeViewer({ userId: "usr_1", tokenId: "tok_1", memberships: [[organization, role]], grants: [] });

const site = (of: Partial<VisitedSite>): VisitedSite => ({
  id: "sit_1",
  organizationId,
  visibility: "public",
  published: true,
  shareKey: null,
  adaptiveContentEnabled: true,
  ...of,
});

const noClaims: Claims = {};
/** One token is valid for every site. */
const visitorTokens = {
  claimsOf: async (_id: string, token: string) => (token === "good" ? { customer: true } : null),
};
const none: VisitorCredentials = { shareKey: null, visitorToken: null };
const by = (viewer: Viewer, of: Partial<VisitedSite>, credentials: Partial<VisitorCredentials> = {}): Promise<Visit> =>
  visit({ viewer, visitorTokens }, site(of), { ...none, ...credentials });

describe("read access to a site", () => {
  test.each(["public", "unlisted"] as const)("%s: anyone while the site is published", async (visibility) => {
    expect(await by(nobody, { visibility })).toEqual({ mayRead: true, claims: noClaims });
    expect((await by(nobody, { visibility, published: false })).mayRead).toBe(false);
  });

  test("share-link: anyone with the key", async () => {
    const shared = { visibility: "share_link", shareKey: "key" } as const;
    expect((await by(nobody, shared)).mayRead).toBe(false);
    expect((await by(nobody, shared, { shareKey: "kez" })).mayRead).toBe(false);
    expect((await by(nobody, { ...shared, shareKey: null })).mayRead).toBe(false);
    expect((await by(nobody, shared, { shareKey: "key" })).mayRead).toBe(true);
    expect((await by(nobody, { ...shared, published: false }, { shareKey: "key" })).mayRead).toBe(false);
  });

  test("visitor-auth: anyone with a valid token, whose claims apply on every site", async () => {
    const closed = { visibility: "visitor_auth" } as const;
    expect(await by(nobody, closed)).toEqual({ mayRead: false, claims: noClaims });
    expect(await by(nobody, closed, { visitorToken: "bad" })).toEqual({ mayRead: false, claims: noClaims });
    expect(await by(nobody, closed, { visitorToken: "good" })).toEqual({ mayRead: true, claims: { customer: true } });
    expect((await by(nobody, {}, { visitorToken: "good" })).claims).toEqual({ customer: true });
    const off = { ...closed, adaptiveContentEnabled: false };
    expect(await by(nobody, off, { visitorToken: "good" })).toEqual({ mayRead: true, claims: noClaims });
    expect((await by(nobody, { ...closed, published: false }, { visitorToken: "good" })).mayRead).toBe(false);
  });

  test("members of the organization always; guests and members of other organizations like the public", async () => {
    const closed = { visibility: "visitor_auth", published: false } as const;
    expect((await by(person("read"), closed)).mayRead).toBe(true);
    for (const viewer of [person(null), person("read", "org_other"), nobody])
      expect((await by(viewer, { ...closed, published: true })).mayRead).toBe(false);
  });

  test("depends on these columns only", () => {
    expect(visitedColumns.toSorted()).toEqual(Object.keys(site({})).toSorted());
  });
});
