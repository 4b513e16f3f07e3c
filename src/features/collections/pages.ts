// The page of a collection: the collections and spaces in it, new ones, and for its admins, its settings.
import { type AppFrame, appFrame, appPage, type Crumb } from "#src/features/users/views/app-frame.ts";
import { confirmed, type ListEnd, nextOf, optionsOf } from "#src/features/users/views/app-lists.ts";
import { contentRoles, type RoleName } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Form, type Page } from "#src/pages/page.ts";

interface Named {
  readonly id: string;
  readonly title: string;
}

interface Item extends Named {
  readonly kind: "Collection" | "Space";
}

interface Collection extends Named {
  readonly description: string | null;
  readonly defaultLevel: RoleName;
  readonly permissions: { readonly admin: boolean; readonly create: boolean };
  readonly organization: Named | null;
  readonly ancestors: readonly Named[];
  readonly content: { readonly nodes: readonly Item[]; readonly pageInfo: ListEnd };
}

interface Answer extends AppFrame {
  readonly collection: Collection;
}

const forms: Readonly<Record<string, Form<never>>> = {
  space: defineForm<{ readonly createSpace: { readonly space: Named } }>({
    mutation: `mutation NewSpace($input: CreateSpaceInput!) { createSpace(input: $input) { space { id } } }`,
    variables: (fields, { named }) => ({
      input: {
        organizationId: fields.get("organizationId"),
        parentId: named["collection"],
        title: fields.get("title")?.trim(),
      },
    }),
    then: ({ createSpace: { space } }) => `/app/spaces/${space.id}`,
  }),
  collection: defineForm<{ readonly createCollection: { readonly collection: Named } }>({
    mutation: `mutation NewCollection($input: CreateCollectionInput!) {
      createCollection(input: $input) { collection { id } }
    }`,
    variables: (fields, { named }) => ({
      input: {
        organizationId: fields.get("organizationId"),
        parentId: named["collection"],
        title: fields.get("title")?.trim(),
      },
    }),
    then: ({ createCollection: { collection } }) => `/app/collections/${collection.id}`,
  }),
  settings: defineForm({
    mutation: `mutation SaveCollection($input: UpdateCollectionInput!) {
      updateCollection(input: $input) { collection { id } }
    }`,
    variables: (fields, { named }) => ({
      input: {
        collectionId: named["collection"],
        title: fields.get("title")?.trim(),
        description: fields.get("description")?.trim() || null,
        defaultLevel: fields.get("defaultLevel") || null,
      },
    }),
    then: (_answer, { root }) => root,
  }),
  delete: defineForm<{
    readonly deleteCollection: { readonly parent: Named | null; readonly organization: Named | null };
  }>({
    mutation: `mutation DeleteCollection($input: DeleteCollectionInput!) {
        deleteCollection(input: $input) { deletedId parent { id } organization { id } }
      }`,
    variables: (_fields, { named }) => ({ input: { collectionId: named["collection"] } }),
    then: ({ deleteCollection: { parent, organization } }) => {
      if (parent) return `/app/collections/${parent.id}`;
      return organization ? `/app/orgs/${organization.id}` : "/app";
    },
  }),
};

export const collectionPage: Page = definePage<Answer>({
  path: "/app/collections/:collection",
  query: `query CollectionPage($collection: ID!, $after: String) {
    collection(id: $collection) {
      id title description defaultLevel permissions { admin create }
      organization { id title }
      ancestors { id title }
      content(first: 50, after: $after) {
        nodes { kind: __typename id title } pageInfo { hasNextPage endCursor }
      }
    }
    ...AppFrame
  } ${appFrame}`,
  variables: ({ named: { collection }, search }) => ({ collection, after: search.get("after") }),
  view: (answer, asked) => {
    const { collection } = answer;
    return appPage(answer, { title: collection.title, crumbs: crumbsOf(collection), main: mainOf(collection, asked) });
  },
  forms,
});

const crumbsOf = ({ organization, ancestors }: Collection): readonly Crumb[] => [
  ...(organization ? [[organization.title, `/app/orgs/${organization.id}`] as const] : []),
  ...ancestors.map(({ id, title }) => [title, `/app/collections/${id}`] as const),
];

const mainOf = (collection: Collection, asked: Asked): Html =>
  html`<h1>${collection.title || "Untitled collection"}</h1>
    ${collection.description === null ? "" : html`<p class="soft">${collection.description}</p>`}
    ${contentOf(collection, asked)} ${collection.permissions.create ? additions(collection, asked) : ""}
    ${collection.permissions.admin ? settingsOf(collection, asked) : ""}`;

const contentOf = ({ content: { nodes, pageInfo } }: Collection, asked: Asked): Html =>
  html`<h2>Content</h2>
    ${
      nodes.length === 0
        ? html`<p>This collection is empty.</p>`
        : html`<ul class="card-list">
            ${nodes.map(
              ({ kind, id, title }) =>
                html`<li>
                  <a href="/app/${kind === "Space" ? "spaces" : "collections"}/${id}">${title || "Untitled"}</a>
                  ${kind === "Collection" ? html`<span class="badge">Collection</span>` : ""}
                </li>`,
            )}
          </ul>`
    }
    ${nextOf(pageInfo, asked)}`;

const additions = ({ organization }: Collection, asked: Asked): Html =>
  html`${addition("space", organization, asked)} ${addition("collection", organization, asked)}`;

const addition = (form: "space" | "collection", organization: Named | null, asked: Asked): Html =>
  html`${problemOf(asked, form)}
  ${formOf(
    form,
    html`<input type="hidden" name="organizationId" value="${organization?.id ?? ""}" />
      <label>
        Title of a new ${form}
        <input name="title" required value="${filled(asked, form, "title")}" />
      </label>
      <button>Create ${form}</button>`,
    { style: form === "space" ? "row" : "row quiet" },
  )}`;

function settingsOf({ title, description, defaultLevel }: Collection, asked: Asked): Html {
  const field = (name: string, value: string) => filled(asked, "settings", name, value);
  const levels = [["", "Inherited"] as const, ...contentRoles];
  return html`<h2>Settings</h2>
    ${problemOf(asked, "settings")}
    ${formOf(
      "settings",
      html`<label>
          Title
          <input name="title" value="${field("title", title)}" />
        </label>
        <label>
          Description
          <input name="description" value="${field("description", description ?? "")}" />
        </label>
        <label>
          Role of members on its content
          <select name="defaultLevel">
            ${optionsOf(levels, field("defaultLevel", defaultLevel ?? ""))}
          </select>
        </label>
        <button>Save</button>`,
      { style: "stacked quiet" },
    )}
    ${problemOf(asked, "delete")}
    ${confirmed(
      "Delete this collection…",
      formOf(
        "delete",
        html`<p>Its content moves up to the place of the collection. Who has access stays the same.</p>
          <button>Delete the collection</button>`,
        { style: "danger" },
      ),
    )}`;
}
