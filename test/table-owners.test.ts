// The owners of tables: a table belongs to the feature that its Prisma model's file is named after, and other code that
// uses it in SQL or through Prisma is listed here.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { features } from "#src/features/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const filesUnder = (folder: string, end: string) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(end) && !path.startsWith("generated"))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(`${root}${folder}/${path}`, "utf8") }));

const ownerOf = new Map(
  filesUnder("prisma/models", ".prisma").flatMap(({ path, text }) =>
    [...text.matchAll(/^model (\w+)/gm)].map(
      ([, model = ""]) => [model, path.replace(/^.*\/|\.prisma$/g, "")] as const,
    ),
  ),
);

/** Tables of later features that a feature uses nevertheless, each with its reason. */
const upward: Record<string, string> = {
  "change-requests Review": "Change requests of an organization are filtered by reviewer.",
  "collections Space": "Collections and spaces of a parent share one order, so a subtree moves with its spaces.",
  "content ChangeRequest":
    "A revision belongs to the head of a space or of a change request; both heads are locked and moved the same way.",
  "content Site": "Visitors of a published site see the files of its spaces.",
  "content SiteSpace": "Visitors of a published site see the files of its spaces.",
  "organizations Site":
    "The default content of an organization is one of its sites or spaces; an organization with public sites shows a preview.",
  "organizations Space":
    "The default content of an organization is one of its sites or spaces; an organization with public spaces shows a preview.",
  "saml OidcProvider": "The sign-in page shows the sign-in methods of an organization, by any protocol.",
  "spaces Revision": "A space and its first revision reference each other, so one command writes both.",
  "tokens Session": "A token made by a session has at most the access of that session's sign-in method.",
  "users OrganizationMember": "A person is visible to those who share an organization with them.",
};

/** Tables of earlier features that a feature reads or writes in statements of its own, each with its reason. */
const downward: Record<string, string> = {
  "activity Collection": "A guest's activity is filtered by the collections visible to them.",
  "activity OutboxEvent": "Activity is read from the outbox, which keeps events.",
  "activity Space": "A guest's activity is filtered by the spaces visible to them.",
  "change-requests Revision": "A change request starts from the revision of the space.",
  "change-requests Space":
    "A change request is outdated when the space has a newer revision; merging moves the head of the space.",
  "collections Organization": "Content that leaves an organization is no longer its default content.",
  "comments ContentDocument": "Mentions on a page are looked up when its text changes.",
  "comments OrganizationMember": "Mentions are of people with a role on the space.",
  "comments PresentPage": "Users already mentioned on a page are not notified again.",
  "comments Review": "A comment may belong to a review by its author.",
  "comments Space": "Mentions are of people with a role on the space.",
  "comments User": "An e-mail about a mention names the author of the comment.",
  "content Space": "A revision is visible with its space.",
  "grants Collection": "A grant on a collection is checked and locked with it.",
  "grants OrganizationMember": "Roles are granted to members of the organization.",
  "grants Space": "A grant on a space is checked and locked with it.",
  "grants Team": "Roles are granted to teams of the organization.",
  "imports ContentDocument": "Links to the files of pages that stay are looked for in their texts.",
  "integrations Organization": "The organization is locked while an integration is published, to enforce the limit.",
  "integrations OutboxEvent": "Outbox events become events of subscribed installations in one statement.",
  "integrations Site": "An installation on all sites has a row for each.",
  "integrations Space": "An installation on all spaces has a row for each.",
  "integrations User": "The author of an installation's writes is a user of its own.",
  "invitations Organization": "The invitation page shows the inviting organization.",
  "invitations OrganizationMember": "Accepting an invitation makes a membership.",
  "invitations User": "An invitation is for the user with its e-mail address.",
  "invite-links Organization": "A link works while its organization has invite links enabled.",
  "invite-links OrganizationMember": "Using a link makes a membership.",
  "links ChangeRequest": "External links of drafts are checked, too.",
  "links ContentDocument": "Texts without derived links are scanned for links.",
  "links ContentFile": "A link to a file is broken if its content does not have the file.",
  "links ContentFileList": "A link to a file is broken if its content does not have the file.",
  "links DerivedText": "Lists the texts whose links are known.",
  "links Organization": "An organization can turn on checks of external links.",
  "links OpenApiSpec": "A link to a specification is broken if no specification of that name is visible to the viewer.",
  "links PresentPage": "A link into another space leads to its current page; backlinks come from current pages.",
  "links Revision": "External links of drafts are checked, too.",
  "links Space": "Backlinks come from pages of spaces visible to the viewer.",
  "members MemberCount": "The member count is read with the list and maintained by this feature's job.",
  "members Organization": "A membership gets the default role of the organization.",
  "members OrganizationMember": "Memberships are the organization's table; this feature lists and changes them.",
  "members Space": "Counts the spaces of an organization once for all of its members.",
  "members Team": "The teams of a member are found by their title.",
  "members TeamMember": "Counts the teams of a member; leaving the organization leaves them.",
  "members User": "Members are found by the name and e-mail address of the user.",
  "oidc OrganizationMember": "A user named by a provider must not have a disabled membership.",
  "oidc Session": "Signing out at a provider needs to know whether it opened the session of the browser.",
  "oidc User": "A verified address from the provider of the gateway is that of a user, or of a new one.",
  "openapi Organization": "The organization is locked while a specification is added, to enforce the limit.",
  "openapi PresentPage": "A specification from which pages are computed is not deleted.",
  "openapi Space": "Computed pages are in the spaces of the organization.",
  "organizations User": "Users find the organization of their e-mail domain.",
  "published-sites Organization": "A site is found by its slug within its organization.",
  "published-sites FormerPath": "A link to a path that a page had leads to the page.",
  "published-sites FormerSitePath": "A link to a path that a section or site space had leads there.",
  "published-sites Revision": "A site and the contents that it shows are read in one statement.",
  "published-sites Site": "A request finds the site of its hostname before the visitor is known.",
  "published-sites Space": "Deleted spaces are not shown, and a site shows the active revision of the others.",
  "reviews ChangeRequest": "A review is visible with its change request.",
  "reviews OrganizationMember": "Reviewers are people with a role on the space.",
  "reviews Space": "Reviewers are people with a role on the space.",
  "reviews User": "An e-mail with a review request has the name of its sender.",
  "saml AuditEntry": "Refusals in the audit log are rate-limited: recent ones are counted.",
  "saml EmailDomain": "An e-mail address from a provider is accepted if its domain belongs to the organization.",
  "saml Organization": "The sign-in page shows the sign-in methods of an organization.",
  "saml OrganizationMember": "A user named by a provider for the first time becomes a member.",
  "saml Session": "Signing out at a provider needs its name for the session of the browser.",
  "saml Team": "A provider puts newcomers into a team of its organization, which is locked with that.",
  "saml TeamMember": "Newcomers are put into the team of their provider.",
  "saml User": "A person named by a provider for the first time becomes a user; later the name is updated.",
  "search ChangeRequest": "The content of a change request is that of its revision.",
  "search PresentPage": "Current pages are found in one statement with their words.",
  "search Revision": "A change request is searched as its space plus the differences of its revision.",
  "search SiteSpace": "A site is searched by its spaces.",
  "search Space": "Words are stemmed in the language of the space, and hits are visible with it.",
  "sessions User": "A sign-in link is for the user with its e-mail address; it turns an invited person into a user.",
  "sites Organization": "A deleted site is no longer default content.",
  "sites OutboxEvent": "Spaces that leave their organization leave its sites in one statement, with their events.",
  "sites Space": "Sites are found by the spaces they show, and new site spaces get the titles of their spaces.",
  "spaces Collection": "Collections and spaces share one order and are listed together.",
  "spaces Organization": "A purged space is no longer default content.",
  "spaces OutboxEvent": "The hourly purge is one statement, which also writes its events.",
  "teams OrganizationMember": "Only active members that are not guests are in teams.",
  "teams User": "Members of a team are sorted and searched by the names of the users.",
  "translations ChangeRequest": "Changes by people in a translated space are merged by a change request.",
  "translations Revision": "A page is outdated by comparison with the tree of its source, for every viewer.",
  "translations Space": "A translated space and its source are locked and read while a translation is made.",
  "tokens User": "A token of an organization acts as a service user.",
};

/** Folders other than features that write SQL, each with its reason. */
const folders: Record<string, string> = {
  access: "Authentication and permissions are one statement over users, memberships, teams, grants and content.",
  events: "Owns the outbox.",
  domain: "Owns idempotency keys.",
  backup: "A backup is restored only into a database without users.",
  cli: "Commands find the user that they act for.",
  demo: "Seeds every table, on an empty database.",
  history: "Loads a recorded project with its dates, which no command would accept.",
  server: "Finds the user of the demo.",
};

const tablesIn = (text: string): Set<string> => {
  const inSql = [...text.matchAll(/\b(?:from|join|update|into|only)\s+"(\w+)"/g)].map(([, table = ""]) => table);
  const byPrisma = [...text.matchAll(/\b(?:transaction|prisma)\.(\w)(\w+)\./g)].map(
    ([, first = "", rest = ""]) => first.toUpperCase() + rest,
  );
  return new Set([...inSql, ...byPrisma].filter((table) => ownerOf.has(table)));
};

const registry = features.map(({ name }) => name);
const named = filesUnder("src", ".ts").flatMap(({ path, text }) => {
  const [, folder = "", feature = ""] = path.split("/");
  const place = folder === "features" && registry.includes(feature) ? feature : folder;
  return [...tablesIn(text)].filter((table) => ownerOf.get(table) !== place).map((table) => ({ place, table }));
});
const pairs = (of: typeof named) => [...new Set(of.map(({ place, table }) => `${place} ${table}`))].toSorted();
const isUpward = ({ place, table }: (typeof named)[number]) =>
  registry.indexOf(ownerOf.get(table) ?? "") > registry.indexOf(place);

test("every table except the outbox has an owner in the registry", () => {
  const owners = new Set(ownerOf.values());
  expect([...owners].filter((owner) => !registry.includes(owner))).toEqual(["events", "idempotency"]);
});

test("features use tables of later features only where listed", () => {
  const inFeatures = named.filter(({ place }) => registry.includes(place));
  expect(pairs(inFeatures.filter(isUpward))).toEqual(Object.keys(upward).toSorted());
});

test("features use tables of earlier features only where listed", () => {
  const inFeatures = named.filter(({ place }) => registry.includes(place));
  expect(pairs(inFeatures.filter((one) => !isUpward(one)))).toEqual(Object.keys(downward).toSorted());
});

test("no other folder uses a table except those listed", () => {
  const others = new Set(named.map(({ place }) => place).filter((place) => !registry.includes(place)));
  expect([...others].filter((place) => !(place in folders))).toEqual([]);
});
