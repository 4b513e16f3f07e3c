// The sites of the demo: one with sections and groups, one without, and a small one behind a share link.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { Organizations } from "#src/demo/organizations.ts";
import type { People } from "#src/demo/people.ts";
import { Positions } from "#src/demo/positions.ts";
import type { Rows } from "#src/demo/rows.ts";
import type { SpaceName, Spaces } from "#src/demo/spaces.ts";

interface Placed {
  readonly space: SpaceName;
  readonly title: string;
  readonly path: string;
  readonly condition?: string;
}

/** The first section is the default one of the site, the first space the default one of its section. */
const sections = [
  {
    group: "Learn",
    title: "Guides",
    description: "From unpacking to the first reading",
    path: "guides",
    icon: "rocket",
    spaces: [
      { space: "getting-started", title: "Getting started", path: "start" },
      { space: "calibration", title: "Calibration", path: "calibration" },
    ],
  },
  {
    group: "Learn",
    title: "Device manuals",
    path: "devices",
    icon: "life-ring",
    spaces: [
      { space: "tide-gauge", title: "Tide gauge", path: "tide-gauge" },
      { space: "wave-buoy", title: "Wave buoy", path: "wave-buoy" },
    ],
  },
  {
    group: "Build",
    title: "Programming interface",
    description: "For those who write software around our devices",
    path: "api",
    icon: "code",
    spaces: [
      { space: "api-reference", title: "Reference", path: "reference" },
      { space: "error-codes", title: "Error codes", path: "errors" },
    ],
  },
  {
    title: "Help",
    path: "help",
    condition: "visitor.claims.customer == true",
    spaces: [
      {
        space: "knowledge-base",
        title: "Knowledge base",
        path: "answers",
        condition: "!has(visitor.claims.unsigned.trial) || !visitor.claims.unsigned.trial",
      },
    ],
  },
] satisfies readonly {
  group?: string;
  title: string;
  description?: string;
  path: string;
  icon?: string;
  condition?: string;
  spaces: readonly Placed[];
}[];

const groups = [
  { title: "Learn", icon: "graduation-cap" },
  { title: "Build", icon: "hammer" },
];

/** Ids of the sites. */
export interface Sites {
  readonly docs: string;
  readonly community: string;
  readonly partners: string;
}

interface Known {
  readonly organizations: Organizations;
  readonly people: People;
  readonly spaces: Spaces;
}

export function addSites(rows: Rows, known: Known): Sites {
  const { organizations, people, spaces } = known;
  const sites: Sites = { docs: newId("Site"), community: newId("Site"), partners: newId("Site") };
  const harbour = { organizationId: organizations.harbour.id, createdById: people.jonas };
  const opentide = { organizationId: organizations.opentide.id, createdById: people.ravi };
  rows.add("Site", {
    id: sites.docs,
    ...harbour,
    ...docs,
    adaptiveSchemaUpdatedAt: at(30),
    createdAt: at(30),
    publishedAt: at(31),
    publishedById: people.jonas,
  });
  rows.add("Site", { id: sites.partners, ...harbour, ...partners, createdAt: at(95) });
  rows.add("Site", {
    id: sites.community,
    ...opentide,
    ...community,
    createdAt: at(66),
    publishedAt: at(66),
    publishedById: people.ravi,
  });
  addSections(rows, spaces, sites.docs);
  const atRoot = (siteId: string) => ({ spaces, positions: new Positions(), siteId, sectionId: null });
  addSiteSpaces(rows, atRoot(sites.partners), [{ space: "partners", title: "Partner portal", path: "portal" }]);
  addSiteSpaces(rows, atRoot(sites.community), [
    { space: "manual", title: "User manual", path: "manual" },
    { space: "contributing", title: "Contributing", path: "contributing" },
  ]);
  return sites;
}

const docs = {
  type: "ultimate",
  title: "Harbour Instruments documentation",
  icon: {
    icon: {
      light: "https://assets.example.com/harbour/light.png",
      dark: "https://assets.example.com/harbour/dark.png",
    },
  },
  // It is not theirs, and nobody looks whether it is: the demo asks nothing of the DNS.
  claimedHostname: "docs.harbour.example.com",
  hostnameProof: "of-the-demo",
  hostnameClaimedAt: at(31),
  basename: "docs",
  proxyOrigin: "harbour.example.com",
  proxyTarget: "/docs",
  visibility: "public",
  published: true,
  adaptiveContentEnabled: true,
  adaptiveSchema: {
    type: "object",
    properties: {
      customer: { type: "boolean", title: "Customer", description: "Has bought a device." },
      unsigned: {
        type: "object",
        properties: { trial: { type: "boolean", title: "On trial" } },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
  agentsContext: "included",
} as const;

const partners = {
  title: "Partner portal",
  icon: { emoji: "🤝" },
  basename: "partners",
  visibility: "share_link",
  shareKey: "demo-share-key-of-the-partner-site",
} as const;

const community = { title: "Open Tide", basename: "manual", visibility: "unlisted", published: true } as const;

function addSections(rows: Rows, spaces: Spaces, siteId: string): void {
  const groupIds = new Map<string | undefined, string>();
  const positions = new Positions();
  for (const [index, { spaces: placed, group, ...section }] of sections.entries()) {
    const sectionId = newId("SiteSection");
    const missing = groupIds.has(group) ? undefined : groups.find(({ title }) => title === group);
    if (missing) {
      const id = newId("SiteSectionGroup");
      groupIds.set(group, id);
      rows.add("SiteSectionGroup", { id, siteId, ...missing, position: positions.next("entries") });
    }
    rows.add("SiteSection", {
      id: sectionId,
      siteId,
      sectionGroupId: groupIds.get(group) ?? null,
      isDefault: index === 0,
      position: positions.next("entries"),
      ...section,
    });
    addSiteSpaces(rows, { spaces, positions, siteId, sectionId }, placed);
  }
}

/** Places spaces on a site, in a section or at its root; the first one is the default there. */
function addSiteSpaces(
  rows: Rows,
  place: { spaces: Spaces; positions: Positions; siteId: string; sectionId: string | null },
  placed: readonly Placed[],
): void {
  const { spaces, positions, ...ids } = place;
  for (const [index, { space, ...fields }] of placed.entries()) {
    const spaceId = spaces[space].id;
    const position = positions.next("spaces");
    rows.add("SiteSpace", { id: newId("SiteSpace"), ...ids, spaceId, isDefault: index === 0, position, ...fields });
  }
}
