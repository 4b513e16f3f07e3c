// The page of the structure of a site: everything that visitors see in its navigation, and its order.
import { siteChanges, siteFrame, siteIn, siteVariables } from "#src/features/sites/views/site-frame.ts";
import { type Direction, linesIn, moved, structureOf } from "#src/features/sites/views/structure/order.ts";
import { structureView } from "#src/features/sites/views/structure/structure.ts";
import type { StructureAnswer } from "#src/features/sites/views/structure/tree.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { defineForm, definePage, type Form, type Page } from "#src/pages/page.ts";

type Input = Readonly<Record<string, unknown>>;

/**
 * A form that leads back to the page without the forms of its entry. The browser keeps the fragment of its button,
 * which names the entry.
 */
const formWith = (mutation: string, input: (fields: URLSearchParams) => Input): Form<never> =>
  defineForm({
    mutation,
    variables: (fields, asked) => ({ input: { ...siteIn(asked), ...input(fields) } }),
    then: (_answer, { root, search }) => {
      const find = search.get("find");
      return find === null ? root : `${root}?${new URLSearchParams({ find }).toString()}`;
    },
  });

const text = (fields: URLSearchParams, name: string): string => fields.get(name)?.trim() ?? "";

/** An optional text: an empty field is null. */
const textOrNull = (fields: URLSearchParams, name: string): string | null => text(fields, name) || null;

/** A site without sections has no field for one. */
const sectionIn = (siteSectionId: string | null): Input => (siteSectionId ? { siteSectionId } : {});

const updateSite = `mutation ShowFirst($input: UpdateSiteInput!) { updateSite(input: $input) { site { id } } }`;

/** The order that the page showed, after the move of the pressed button; a script sends an order without a move. */
function orderIn(fields: URLSearchParams): Input {
  const lines = linesIn(fields.get("order") ?? "");
  const [direction = "", id = ""] = (fields.get("move") ?? "").split(" ");
  const index = lines.findIndex((line) => line.id === id);
  const isMove = ["up", "down"].includes(direction);
  const after = (isMove && moved(lines, index, direction as Direction)) || lines; // one of them
  const version = Number.parseInt(fields.get("version") ?? "", 10);
  return { structure: structureOf(after), expectedVersion: Number.isNaN(version) ? null : version };
}

const additions: Readonly<Record<string, Form<never>>> = {
  space: formWith(
    `mutation PlaceSpace($input: CreateSiteSpaceInput!) { createSiteSpace(input: $input) { siteSpace { id } } }`,
    (fields) => ({ spaceId: fields.get("spaceId"), ...sectionIn(fields.get("sectionId")) }),
  ),
  section: formWith(
    `mutation AddSection($input: CreateSiteSectionInput!) { createSiteSection(input: $input) { siteSection { id } } }`,
    (fields) => ({ spaceId: fields.get("spaceId"), title: text(fields, "title") }),
  ),
  group: formWith(
    `mutation AddGroup($input: CreateSiteSectionGroupInput!) {
      createSiteSectionGroup(input: $input) { siteSectionGroup { id } }
    }`,
    (fields) => ({ title: text(fields, "title"), siteSectionIds: fields.getAll("sectionId") }),
  ),
  order: formWith(
    `mutation SortStructure($input: SortSiteStructureInput!) { sortSiteStructure(input: $input) { site { id } } }`,
    orderIn,
  ),
};

const ofSpaces: Readonly<Record<string, Form<never>>> = {
  editSpace: formWith(
    `mutation SaveSiteSpace($input: UpdateSiteSpaceInput!) { updateSiteSpace(input: $input) { siteSpace { id } } }`,
    (fields) => ({
      siteSpaceId: fields.get("id"),
      title: text(fields, "title"),
      path: text(fields, "path"),
      condition: textOrNull(fields, "condition"),
    }),
  ),
  firstOnSite: formWith(updateSite, (fields) => ({ defaultSiteSpaceId: fields.get("id") })),
  firstInSection: formWith(
    `mutation ShowFirstInSection($input: UpdateSiteSectionInput!) {
      updateSiteSection(input: $input) { siteSection { id } }
    }`,
    (fields) => ({ siteSectionId: fields.get("section"), defaultSiteSpaceId: fields.get("id") }),
  ),
  otherSpace: formWith(
    `mutation ShowOtherSpace($input: UpdateSiteSpaceInput!) { updateSiteSpace(input: $input) { siteSpace { id } } }`,
    (fields) => ({ siteSpaceId: fields.get("id"), spaceId: fields.get("spaceId") }),
  ),
  removeSpace: formWith(
    `mutation RemoveSiteSpace($input: DeleteSiteSpaceInput!) { deleteSiteSpace(input: $input) { deletedId } }`,
    (fields) => ({ siteSpaceId: fields.get("id") }),
  ),
};

const ofSections: Readonly<Record<string, Form<never>>> = {
  editSection: formWith(
    `mutation SaveSection($input: UpdateSiteSectionInput!) { updateSiteSection(input: $input) { siteSection { id } } }`,
    (fields) => ({
      siteSectionId: fields.get("id"),
      title: text(fields, "title"),
      path: text(fields, "path"),
      icon: textOrNull(fields, "icon"),
      description: textOrNull(fields, "description"),
      condition: textOrNull(fields, "condition"),
    }),
  ),
  defaultSection: formWith(updateSite, (fields) => ({ defaultSiteSectionId: fields.get("id") })),
  intoGroup: formWith(
    `mutation IntoGroup($input: AddSectionToGroupInput!) { addSectionToGroup(input: $input) { siteSectionGroup { id } } }`,
    (fields) => ({ siteSectionId: fields.get("id"), siteSectionGroupId: fields.get("group") }),
  ),
  outOfGroup: formWith(
    `mutation OutOfGroup($input: RemoveSectionFromGroupInput!) { removeSectionFromGroup(input: $input) { removedId } }`,
    (fields) => ({ siteSectionId: fields.get("id"), siteSectionGroupId: fields.get("group") }),
  ),
  removeSection: formWith(
    `mutation RemoveSection($input: DeleteSiteSectionInput!) { deleteSiteSection(input: $input) { deletedId } }`,
    (fields) => ({ siteSectionId: fields.get("id") }),
  ),
  editGroup: formWith(
    `mutation SaveGroup($input: UpdateSiteSectionGroupInput!) {
      updateSiteSectionGroup(input: $input) { siteSectionGroup { id } }
    }`,
    (fields) => ({
      siteSectionGroupId: fields.get("id"),
      title: text(fields, "title"),
      icon: textOrNull(fields, "icon"),
    }),
  ),
  removeGroup: formWith(
    `mutation RemoveGroup($input: DeleteSiteSectionGroupInput!) { deleteSiteSectionGroup(input: $input) { deletedId } }`,
    (fields) => ({ siteSectionGroupId: fields.get("id") }),
  ),
};

export const structurePage: Page = definePage<StructureAnswer>({
  path: "/app/orgs/:org/sites/:site/structure",
  query: `query StructureOfSite($org: ID!, $site: ID!, $find: String) {
    site(id: $site, organizationId: $org) {
      ...SiteFrame structureVersion templateConditions { condition description }
      sectionGroups(first: 250) { nodes { id title icon position } pageInfo { hasNextPage } }
      sections(first: 250) {
        nodes { id title icon path position description isDefault condition siteSectionGroupId } pageInfo { hasNextPage }
      }
      siteSpaces(first: 250) {
        nodes { id title path isDefault condition siteSectionId space { id title } } pageInfo { hasNextPage }
      }
      organization {
        spaces(first: 100, title: $find, orderBy: { field: TITLE }) {
          nodes { id title permissions { review } } pageInfo { hasNextPage }
        }
      }
    }
    ...AppFrame
  } ${siteFrame} ${appFrame}`,
  variables: (asked) => ({ ...siteVariables(asked), find: asked.search.get("find") || null }),
  view: structureView,
  listens: siteChanges,
  forms: { ...additions, ...ofSpaces, ...ofSections },
});
