// The sites of the demo: one with sections and groups, one without, and a small one behind a share link.
import { generateNKeysBetween } from "fractional-indexing";
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { Organizations } from "#src/demo/organizations.ts";
import type { People } from "#src/demo/people.ts";
import type { DemoRows } from "#src/demo/rows.ts";
import type { SpaceName, Spaces } from "#src/demo/spaces.ts";

interface Placed {
  readonly space: SpaceName;
  readonly title: string;
  readonly path: string;
  readonly condition?: string;
  readonly hasAdvancedCustomizationFeature?: true;
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
      { space: "gettingStarted", title: "Getting started", path: "start", hasAdvancedCustomizationFeature: true },
      { space: "calibration", title: "Calibration", path: "calibration" },
    ],
  },
  {
    group: "Learn",
    title: "Device manuals",
    path: "devices",
    icon: "life-ring",
    spaces: [
      { space: "tideGauge", title: "Tide gauge", path: "tide-gauge" },
      { space: "waveBuoy", title: "Wave buoy", path: "wave-buoy" },
    ],
  },
  {
    group: "Build",
    title: "Programming interface",
    description: "For those who write software around our devices",
    path: "api",
    icon: "code",
    spaces: [
      { space: "apiReference", title: "Reference", path: "reference" },
      { space: "errorCodes", title: "Error codes", path: "errors" },
    ],
  },
  {
    title: "Help",
    path: "help",
    condition: "visitor.claims.customer == true",
    spaces: [
      { space: "knowledgeBase", title: "Knowledge base", path: "answers", condition: "visitor.claims.plan != 'trial'" },
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

export function addSites(rows: DemoRows, known: Known): Sites {
  const { organizations, people } = known;
  const sites: Sites = { docs: newId("Site"), community: newId("Site"), partners: newId("Site") };
  const harbour = { organizationId: organizations.harbour, createdById: people.jonas };
  rows.sites.push(
    { id: sites.docs, ...harbour, ...docs, createdAt: at(30) },
    { id: sites.partners, ...harbour, ...partners, createdAt: at(95) },
    {
      id: sites.community,
      organizationId: organizations.opentide,
      createdById: people.ravi,
      ...community,
      createdAt: at(66),
    },
  );
  addSections(rows, known.spaces, sites.docs);
  addSiteSpaces(rows, known.spaces, { siteId: sites.partners }, [
    { space: "partners", title: "Partner portal", path: "portal" },
  ]);
  addSiteSpaces(rows, known.spaces, { siteId: sites.community }, [
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
  hostname: "docs.harbour.example.com",
  basename: "docs",
  proxyOrigin: "harbour.example.com",
  proxyTarget: "harbour.example.com/docs",
  visibility: "public",
  published: true,
  adaptiveContentEnabled: true,
  ads: { status: "pending", submittable: true },
  agentsContext: "included",
  features: [
    { id: "sites-adaptive-content", plan: "ultimate", frozen: false },
    { id: "sites-customization", plan: "premium", customizations: ["header-logo"] },
  ],
} as const;

const partners = {
  title: "Partner portal",
  icon: { emoji: "🤝" },
  basename: "partners",
  visibility: "share_link",
  shareKey: "demo-share-key-of-the-partner-site",
} as const;

const community = { title: "Open Tide", basename: "manual", visibility: "unlisted", published: true } as const;

function addSections(rows: DemoRows, spaces: Spaces, siteId: string): void {
  const groupIds = new Map<string | undefined, string>();
  for (const [index, position] of generateNKeysBetween(null, null, groups.length).entries()) {
    const group = { id: newId("SiteSectionGroup"), siteId, title: "", ...groups[index], position };
    groupIds.set(group.title, group.id);
    rows.sectionGroups.push(group);
  }
  const positions = generateNKeysBetween(null, null, sections.length);
  for (const [index, { spaces: placed, group, ...section }] of sections.entries()) {
    const sectionId = newId("SiteSection");
    rows.sections.push({
      id: sectionId,
      siteId,
      sectionGroupId: groupIds.get(group) ?? null,
      isDefault: index === 0,
      position: positions[index] ?? "",
      ...section,
    });
    addSiteSpaces(rows, spaces, { siteId, sectionId }, placed);
  }
}

/** Places spaces on a site, in a section or at its root; the first one is the default there. */
function addSiteSpaces(
  rows: DemoRows,
  spaces: Spaces,
  { siteId, sectionId }: { siteId: string; sectionId?: string },
  placed: readonly Placed[],
): void {
  const before = rows.siteSpaces.findLast((row) => row.siteId === siteId)?.position ?? null;
  const positions = generateNKeysBetween(before, null, placed.length);
  for (const [index, { space, ...fields }] of placed.entries()) {
    rows.siteSpaces.push({
      id: newId("SiteSpace"),
      siteId,
      sectionId: sectionId ?? null,
      spaceId: spaces[space].id,
      isDefault: index === 0,
      position: positions[index] ?? "",
      ...fields,
    });
  }
}
