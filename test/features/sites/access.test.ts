// Who sees sites, and what stands on them: members that are not guests all of them, anyone else the published ones that
// are open to them.
import { describe, expect, it } from "vitest";
import { useApp } from "#test/support/app.ts";
import type { World } from "#test/support/world.ts";

const { app, world } = await useApp();

const roles = ["admin", "creator", "reviewer", "editor", "commenter", "reader", "teamOwner"] as const;
const others = ["guest", "invitedGuest", "teamGuest", "disabled", "outsider"] as const;

const allWays = `query ($site: ID!, $section: ID!, $group: ID!, $siteSpace: ID!) {
  site: node(id: $site) { id } section: node(id: $section) { id }
  group: node(id: $group) { id } siteSpace: node(id: $siteSpace) { id }
}`;
const whole = `query ($id: ID!, $shareKey: String, $organization: ID) { site(id: $id, shareKey: $shareKey, organizationId: $organization) {
  organization { id } siteSpaceCount
  sections { totalCount nodes { site { id } siteSectionGroup { site { id } } siteSpaces { nodes { siteSection { id } } } } }
  sectionGroups { totalCount nodes { sections { nodes { site { id } } } } }
  siteSpaces { totalCount nodes { site { id } siteSection { site { id } } } }
} }`;

type Seen = Record<"site" | "section" | "group" | "siteSpace", { id: string } | null>;

/** Whether somebody sees a site and all that stands on it by ids; seeing one without another fails. */
async function sees(token: string, of: Awaited<ReturnType<World["site"]>>): Promise<boolean> {
  const { site, section, sectionGroup, siteSpace } = of;
  const ids = { site: site.id, section: section.id, group: sectionGroup.id, siteSpace: siteSpace.id };
  const found = Object.values(await app.as(token).query<Seen>(allWays, ids)).map((row) => row !== null);
  expect(new Set(found).size).toBe(1);
  const { data, errors } = await app.as(token).graphql(whole, { id: site.id });
  const byField = errors?.[0]?.extensions.code ?? (data?.["site"] ? "found" : "null");
  expect(byField).toBe(found[0] ? "found" : "NOT_FOUND");
  return found[0] === true;
}

describe("sites are seen", () => {
  it("by members that are not guests, whatever their visibility, published or not", async () => {
    for (const visibility of ["public", "unlisted", "share_link", "visitor_auth"] as const) {
      const of = await world.site({ site: { visibility, published: false } });
      for (const role of roles) expect(await sees(of[role].token, of), `${role} of ${visibility}`).toBe(true);
      for (const other of others) expect(await sees(of[other].token, of), `${other} of ${visibility}`).toBe(false);
    }
  });

  it("by anyone when they are published and public or unlisted", async () => {
    for (const visibility of ["public", "unlisted", "share_link", "visitor_auth"] as const) {
      const of = await world.site({ site: { visibility, published: true } });
      const isOpen = visibility === "public" || visibility === "unlisted";
      for (const other of others) expect(await sees(of[other].token, of), `${other} of ${visibility}`).toBe(isOpen);
    }
  });

  it("by anyone with the share key when they are published, down to the last relation", async () => {
    const of = await world.site({ site: { visibility: "share_link", shareKey: "open sesame" } });
    const { site, section, sectionGroup, outsider, organization } = of;
    const client = app.as(outsider.token);
    const id = site.id;
    const here = { site: { id } };
    const seen = {
      site: {
        organization: null,
        siteSpaceCount: 1,
        sections: {
          totalCount: 1,
          nodes: [{ ...here, siteSectionGroup: here, siteSpaces: { nodes: [{ siteSection: { id: section.id } }] } }],
        },
        sectionGroups: { totalCount: 1, nodes: [{ sections: { nodes: [here] } }] },
        siteSpaces: { totalCount: 1, nodes: [{ ...here, siteSection: here }] },
      },
    };
    expect(await client.query(whole, { id, shareKey: "open sesame" })).toEqual(seen);
    expect(await client.query(whole, { id, shareKey: "open sesame", organization: organization.id })).toEqual(seen);
    expect(await client.refusal(whole, { id, shareKey: "open barley" })).toBe("NOT_FOUND");
    expect(await client.refusal(whole, { id, shareKey: "" })).toBe("NOT_FOUND");
    expect(await client.refusal(whole, { id })).toBe("NOT_FOUND");
    expect(await client.refusal(whole, { id, shareKey: "open sesame", organization: of.elsewhere.id })).toBe(
      "NOT_FOUND",
    );
    const group = `query ($id: ID!) { node(id: $id) { id } }`;
    expect(await client.query(group, { id: sectionGroup.id })).toEqual({ node: null });
  });

  it("never by a share key when they are not published, or not of that visibility", async () => {
    for (const given of [
      { visibility: "share_link", published: false },
      { visibility: "visitor_auth", published: true },
    ] as const) {
      const { site, outsider } = await world.site({ site: { ...given, shareKey: `key of ${given.visibility}` } });
      const key = { id: site.id, shareKey: site.shareKey };
      expect(await app.as(outsider.token).refusal(whole, key)).toBe("NOT_FOUND");
    }
  });

  it("in the list of the organization: by members all, by guests the open ones", async () => {
    const document = `query ($id: ID!) { organization(id: $id) { sites { totalCount nodes { id } } } }`;
    const { organization, reader, guest, site } = await world.site({ site: { visibility: "visitor_auth" } });
    const list = (token: string) => app.as(token).query(document, { id: organization.id });
    expect(await list(reader.token)).toEqual({
      organization: { sites: { totalCount: 1, nodes: [{ id: site.id }] } },
    });
    expect(await list(guest.token)).toEqual({ organization: { sites: { totalCount: 0, nodes: [] } } });
  });
});

describe("the space of a site space", () => {
  const document = `query ($id: ID!) { site(id: $id) { siteSpaces { nodes { title space { id } } } } }`;

  it("is seen by those who may see the space, and null for all others", async () => {
    const { space, site, siteSpace, ...people } = await world.site();
    const seen = (shown: object | null) => ({
      site: { siteSpaces: { nodes: [{ title: siteSpace.title, space: shown }] } },
    });
    const spaceFor = (token: string) => app.as(token).query(document, { id: site.id });
    for (const who of ["admin", "reader", "invitedGuest", "teamGuest"] as const)
      expect(await spaceFor(people[who].token)).toEqual(seen({ id: space.id }));
    for (const who of ["guest", "outsider"] as const) expect(await spaceFor(people[who].token)).toEqual(seen(null));
  });

  it("is null when the space is deleted", async () => {
    const { reader, site } = await world.site({ space: { deletedAt: new Date() } });
    expect(await app.as(reader.token).query(document, { id: site.id })).toMatchObject({
      site: { siteSpaces: { nodes: [{ space: null }] } },
    });
  });
});
