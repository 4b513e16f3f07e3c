// Whose table is whose: each belongs to the feature that its Prisma model's file is named after, and what else names it
// in SQL or through Prisma is listed here.
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

/** Tables of later features, which only what stands on a feature should know. */
const upward: Record<string, string> = {
  "change-requests Review": "Change requests of an organization are found by who reviews them.",
  "collections Space":
    "One order holds for the collections and spaces of a parent, so a subtree moves with its spaces.",
  "content ChangeRequest":
    "A revision belongs to the head of a space or of a change request; both heads are locked and moved alike.",
  "organizations Site":
    "The default content of an organization is a site or a space of its own; one with open sites shows a preview.",
  "organizations Space":
    "The default content of an organization is a site or a space of its own; one with open spaces shows a preview.",
  "spaces Revision": "A space and its first revision name each other, so one command writes both.",
  "tokens Session": "A token that a session makes opens no more than the way by which that was signed in.",
  "users OrganizationMember": "A person is visible to those who share an organization with them.",
};

/** Tables of features that this one stands on, read or written as part of one statement of its own. */
const downward: Record<string, string> = {
  "activity Collection": "A guest's activity is read by the collections that they see.",
  "activity OutboxEvent": "What has happened is read from the outbox, which keeps it.",
  "activity Space": "A guest's activity is read by the spaces that they see.",
  "change-requests Revision": "Starts from the revision of the space.",
  "change-requests Space": "Is outdated when the space has another revision; merging moves the space's head.",
  "collections Organization": "Content that leaves an organization leaves its default content.",
  "comments ContentDocument": "Who is named on a page is looked for where its text has changed.",
  "comments OrganizationMember": "Mentions are of people with a role on the space.",
  "comments PresentPage": "A page that named somebody before names nobody anew.",
  "comments Review": "A comment may belong to a review of its author's.",
  "comments Space": "Mentions are of people with a role on the space.",
  "content Space": "A revision is visible with its space.",
  "grants Collection": "A grant on a collection is checked and locked with it.",
  "grants OrganizationMember": "Roles are granted to members of the organization.",
  "grants Space": "A grant on a space is checked and locked with it.",
  "grants Team": "Roles are granted to teams of the organization.",
  "imports ContentDocument": "Links to the files of pages that stay are looked for in their texts.",
  "integrations Organization": "It is locked while one is published, so that it has no more than it may have.",
  "integrations OutboxEvent":
    "What has happened becomes events of the installations that hear of it, in one statement.",
  "integrations Site": "An installation on all sites has a row for each.",
  "integrations Space": "An installation on all spaces has a row for each.",
  "integrations User": "What an installation writes has an author: a person of its own.",
  "invitations Organization": "The page of invitations shows by whom they are.",
  "invitations OrganizationMember": "Accepting an invitation makes a membership.",
  "invitations User": "An invitation is for who has its e-mail address.",
  "invite-links Organization": "A link works while its organization has links turned on.",
  "invite-links OrganizationMember": "Using a link makes a membership.",
  "links ChangeRequest": "Addresses outside that drafts link to are looked at, too.",
  "links ContentDocument": "Links of texts that nothing was derived from are looked for in these.",
  "links ContentFile": "A link to a file is broken where its content has none.",
  "links ContentFileList": "A link to a file is broken where its content has none.",
  "links DerivedText": "Says of which texts the links are known.",
  "links Organization": "Whether an organization has outside addresses looked at.",
  "links OpenApiSpec": "A link to a specification is broken where there is none of the name that the viewer sees.",
  "links PresentPage": "A link into another space leads to a page as it is now; backlinks come from such pages.",
  "links Revision": "Addresses outside that drafts link to are looked at, too.",
  "links Space": "Backlinks come from pages of spaces that the viewer sees.",
  "members MemberCount":
    "How many members there are is asked for with their list, and summed up by this feature's job.",
  "members Organization": "A membership gets the default role of the organization.",
  "members OrganizationMember": "Memberships are the organization's table; this feature lists and changes them.",
  "members Space": "Counts the spaces of an organization once for all of its members.",
  "members Team": "The teams of a member are found by their title.",
  "members TeamMember": "Counts the teams of a member; one who leaves leaves them.",
  "members User": "Members are found by the name and e-mail address of the user.",
  "openapi Organization": "It is locked while one is added, so that it has no more than it may have.",
  "openapi PresentPage": "A specification from which pages are computed is not deleted.",
  "openapi Space": "Such pages are in the spaces of its organization.",
  "organizations User": "People find the organization of their e-mail domain.",
  "published-sites Organization": "A site is found by its name in the addresses of its organization.",
  "published-sites Revision": "A site and the contents that it shows are read in one statement.",
  "published-sites Space": "Deleted spaces are not shown, and a site shows the active revision of the others.",
  "reviews ChangeRequest": "A review is visible with its change request.",
  "reviews OrganizationMember": "Reviewers are people with a role on the space.",
  "reviews Space": "Reviewers are people with a role on the space.",
  "saml AuditEntry": "A refusal is told in the audit log so often at most: those of the last time are counted.",
  "saml EmailDomain": "An address that a provider names counts where its domain counts for the organization.",
  "saml Organization": "A login page asks how people sign in to an organization, whether it has a provider or not.",
  "saml OrganizationMember": "Whom a provider names for the first time becomes a member.",
  "saml Session": "Signing out at a provider needs its name for the session of the browser.",
  "saml Team": "A provider puts newcomers into a team of its organization, which is locked with that.",
  "saml TeamMember": "Newcomers are put into the team of their provider.",
  "saml User": "Whom a provider names for the first time becomes a user; later the name is kept up to date.",
  "search ChangeRequest": "The content of a change request is that of its revision.",
  "search PresentPage": "What is found is the pages that are there now, in one statement with their words.",
  "search Revision": "A change request is searched as its space with what differs in its revision.",
  "search SiteSpace": "A site is searched by its spaces.",
  "search Space": "Words are those of the language of the space, and hits are visible with it.",
  "sessions User": "A link to sign in is for who has its e-mail address; an invited person becomes a user by it.",
  "sites Organization": "A site that is deleted is nobody's default content.",
  "sites OutboxEvent": "Spaces that leave their organization leave its sites in one statement, with their events.",
  "sites Space": "Sites are found by the spaces that they show, and new places get the titles of their spaces.",
  "spaces Collection": "Collections and spaces stand in one order, and so in one list.",
  "spaces Organization": "A purged space is nobody's default content.",
  "spaces OutboxEvent": "The hourly purge is one statement, which leaves its events too.",
  "teams OrganizationMember": "Only active members that are not guests are in teams.",
  "teams User": "Members of a team are sorted and searched by the names of the users.",
  "translations ChangeRequest": "What people have changed in a translated space is merged by a change request.",
  "translations Revision": "Whether a page is out of date is seen by the tree of its source, whoever asks.",
  "translations Space": "A translated space and its source are locked and followed as a translation is made.",
  "tokens User": "A token of an organization acts as a user of its own, who is no person.",
};

/** Folders beside the features that write SQL, each with its reason. */
const folders: Record<string, string> = {
  access: "Who somebody is and what they may do is one statement over people, memberships, teams, grants and content.",
  events: "Owns the outbox.",
  domain: "Owns the keys of requests that are done once.",
  backup: "A backup is only restored where nobody is.",
  cli: "Commands find the user in whose name they work.",
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
