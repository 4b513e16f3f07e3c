// What surrounds every page of a site in the application: its name, whether it is published, and its tabs.
import { refusalBeside } from "#src/features/change-requests/views/refusal.ts";
import { sitePath } from "#src/features/sites/model/root.ts";
import { type AppFrame, appPage } from "#src/features/users/views/app-frame.ts";
import { tabsOf } from "#src/features/users/views/app-lists.ts";
import type { RoleName } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { emojiOf } from "#src/pages/icons.ts";
import type { Asked, Listens, Shown } from "#src/pages/page.ts";

/** The part of a site that its frame shows. */
interface SiteFrame {
  readonly id: string;
  readonly title: string;
  readonly published: boolean;
  readonly visibility: string;
  readonly icon: { readonly emoji: string | null } | null;
  readonly urls: { readonly published: string | null };
  readonly permissions: { readonly admin: boolean };
  /** Null for outsiders, who get to the published site instead. */
  readonly organization: { readonly id: string; readonly title: string; readonly viewerRole: RoleName } | null;
}

/** The answer of a page of a site; null if the site does not exist for the viewer. */
export type SiteAnswer<More = unknown> = AppFrame & { readonly site: SiteFrame & More };

/** The fragment that such a page adds to its document. */
export const siteFrame = `fragment SiteFrame on Site {
  id title published visibility icon { emoji } urls { published } permissions { admin }
  organization { id title viewerRole }
}`;

type Tab = "Overview" | "Structure" | "Look" | "Visitors" | "Adaptive content" | "Address" | "Settings";

const paths: readonly (readonly [Tab, string, isForAll: boolean])[] = [
  ["Overview", "", true],
  ["Structure", "/structure", true],
  ["Look", "/look", false],
  ["Visitors", "/visitors", false],
  ["Adaptive content", "/adaptive", false],
  ["Address", "/address", false],
  ["Settings", "/settings", false],
];

export const pathOfSite = (organizationId: string, siteId: string): string =>
  `/app/orgs/${organizationId}/sites/${siteId}`;

interface Inside {
  readonly tab: Tab;
  readonly main: Html;
  readonly theme?: string;
  /** Whether the page is ordered by drag. */
  readonly isSorted?: boolean;
}

/** A page of a site under this tab. Outsiders, who see published sites alone, get to the published site. */
export function sitePage({ viewer, site }: SiteAnswer, asked: Asked, { tab, main, theme, isSorted }: Inside): Shown {
  const { organization, title, published, icon } = site;
  if (!organization) return outside(site);
  return appPage(
    { viewer },
    {
      title: `${tab === "Overview" ? "" : `${tab} · `}${title}`,
      crumbs: [
        ["Home", "/app"],
        [organization.title, `/app/orgs/${organization.id}`],
        ["Sites", `/app/orgs/${organization.id}/sites`],
      ],
      main: html`<div class="site-head">
          <h1>${emojiOf(icon?.emoji)} ${title}</h1>
          <span class="badge ${published ? "live" : ""}">${published ? "Published" : "Not published"}</span>
          ${addressesOf(site)}
        </div>
        ${tabsOf("Site", tab, tabsFor(organization.id, site))} ${refusalBeside(asked, [main])} ${main}`,
      // A secret is in this answer alone, and members hear of changes.
      isLive: asked.secret === undefined && organization.viewerRole !== null,
      ...(theme !== undefined && { theme }),
      ...(isSorted && { scripts: ["sites.js"] }),
    },
  );
}

/** A page for those who may change the site. Others get it only to read why a form of it was refused. */
export function siteAdminPage(answer: SiteAnswer, asked: Asked, inside: () => Inside): Shown {
  const { permissions, organization } = answer.site;
  if (permissions.admin && organization) return sitePage(answer, asked, inside());
  return asked.problem ? sitePage(answer, asked, { tab: "Overview", main: html`` }) : null;
}

const outside = ({ urls: { published: to } }: SiteFrame): Shown =>
  to === null ? null : { kind: "moved", status: 307, to };

/** The site for visitors, and as members see it before it is published. */
function addressesOf({ id, urls }: SiteFrame): Html {
  return urls.published === null
    ? html`<a class="open" href="${sitePath(id)}">Preview ↗</a>`
    : html`<a class="open" href="${urls.published}">Open ↗</a>`;
}

function tabsFor(organizationId: string, { id, permissions }: SiteFrame) {
  const root = pathOfSite(organizationId, id);
  return paths.flatMap(([name, path, isForAll]) =>
    isForAll || permissions.admin ? [[name, root + path] as const] : [],
  );
}

/** The ids in the address of a page of a site, as its mutations take them. */
export const siteIn = ({ named }: Asked) => ({ organizationId: named["org"], siteId: named["site"] });

/** The variables of the query of such a page. */
export const siteVariables = ({ named: { org, site } }: Asked) => ({ org, site });

/** Changes of the site that an open page shows. */
export const siteChanges: Listens = {
  subscription: `subscription ChangesOfSiteInApp($site: ID!) { siteEvents(of: { siteId: $site }) { __typename } }`,
  variables: ({ named: { site } }) => ({ site }),
};
