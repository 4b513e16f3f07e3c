// The frame of the pages of an organization: its title and its tabs, those that the viewer may open. Each page selects
// `...OrganizationFrame` on the organization.
import { appPage, type AppFrame } from "#src/features/users/views/app-frame.ts";
import { tabsOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import type { ShownPage } from "#src/pages/page.ts";

/** The part of an organization that its frame shows. */
export interface OrganizationFrame {
  readonly id: string;
  readonly title: string;
  readonly permissions: Readonly<Record<"admin" | "listMembers" | "listTeams" | "listIntegrations", boolean>>;
}

/** The fragment that such a page adds to its document. */
export const organizationFrame = `fragment OrganizationFrame on Organization {
  id title permissions { admin listMembers listTeams listIntegrations }
}`;

type Tab =
  | "Overview"
  | "Sites"
  | "Members"
  | "Invitations"
  | "Teams"
  | "Access"
  | "Integrations"
  | "Specifications"
  | "Translations"
  | "API tokens"
  | "Single sign-on"
  | "Audit log"
  | "Settings";

interface Framed {
  readonly tab: Tab;
  readonly main: Html;
  /** The title of a page below a tab. */
  readonly title?: string;
  readonly isLive?: boolean;
}

/** A page of an organization, under the tab with this name. */
export const organizationPage = (
  answer: AppFrame & { readonly organization: OrganizationFrame },
  { tab, main, title, isLive = false }: Framed,
): ShownPage => {
  const { organization } = answer;
  return appPage(answer, {
    title: `${title ?? tab} · ${organization.title}`,
    crumbs: [["Home", "/app"]],
    isLive,
    main: html`<h1>${organization.title}</h1>
      ${tabsOf("Organization", tab, tabsFor(organization))} ${main}`,
  });
};

function tabsFor({ id, permissions }: OrganizationFrame) {
  const { admin, listMembers, listTeams, listIntegrations } = permissions;
  const root = `/app/orgs/${id}`;
  const tabs: readonly (readonly [Tab, string, boolean])[] = [
    ["Overview", root, true],
    ["Sites", `${root}/sites`, true],
    ["Members", `${root}/members`, listMembers],
    ["Invitations", `${root}/invitations`, admin],
    ["Teams", `${root}/teams`, listTeams],
    ["Access", `${root}/access`, admin],
    ["Integrations", `${root}/integrations`, listIntegrations],
    ["Specifications", `${root}/specifications`, listMembers],
    ["Translations", `${root}/translations`, listMembers],
    ["API tokens", `${root}/tokens`, admin],
    ["Single sign-on", `${root}/single-sign-on`, admin],
    ["Audit log", `${root}/audit-log`, admin],
    ["Settings", `${root}/settings`, admin],
  ];
  return tabs.flatMap(([name, path, isShown]) => (isShown ? [[name, path] as const] : []));
}
