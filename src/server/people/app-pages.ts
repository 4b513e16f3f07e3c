// The pages under `/app`: what `urls.app` leads to where no application is configured. They show a thing as data, to
// those who may see it.
import { getNamedType, type GraphQLSchema, isLeafType, isObjectType } from "graphql";
import type { Context } from "#src/domain/context.ts";
import { findInvitation } from "#src/features/invite-links/reads.ts";
import { findPreview } from "#src/features/organizations/reads.ts";
import type { Executor } from "#src/graph/run/execute.ts";
import type { ContextOf, Handler } from "#src/http/exchange.ts";
import { html, linkTo, listValues, type PageForPeople } from "#src/http/html.ts";
import { ask, type FindPage, ownQuery, pagesFor } from "#src/http/page-request.ts";

/** What has a page: its path under `/app/`, and the way to it in a query; `:noun` and `$noun` are an id or a name. */
interface Kind {
  readonly path: string;
  readonly type: string;
  /** With `*` for the fields of the type. */
  readonly query: string;
}

const kinds: readonly Kind[] = [
  { path: "orgs/:org", type: "Organization", query: "organization(id: $org) *" },
  { path: "orgs/:org/sites/:site", type: "Site", query: "site(id: $site, organizationId: $org) *" },
  { path: "collections/:collection", type: "Collection", query: "collection(id: $collection) *" },
  { path: "spaces/:space", type: "Space", query: "space(id: $space) *" },
  {
    path: "spaces/:space/revisions/:revision",
    type: "Revision",
    query: "space(id: $space) { id } node(id: $revision) { ... on Revision * }",
  },
  {
    path: "spaces/:space/pages/:page",
    type: "Page",
    query: "space(id: $space) { content { page(by: { id: $page }) * } }",
  },
  {
    path: "spaces/:space/change-requests/:changeRequest",
    type: "ChangeRequest",
    query: "space(id: $space) { changeRequest(by: { id: $changeRequest }) * }",
  },
  {
    path: "spaces/:space/change-requests/:changeRequest/pages/:page",
    type: "Page",
    query: "space(id: $space) { changeRequest(by: { id: $changeRequest }) { content { page(by: { id: $page }) * } } }",
  },
  { path: "openapi/:spec", type: "OpenApiSpec", query: "node(id: $spec) { ... on OpenApiSpec * }" },
  { path: "integrations/:name", type: "Integration", query: "integration(name: $name) *" },
  {
    path: "integrations/:name/installations/:installation",
    type: "IntegrationInstallation",
    query: "integration(name: $name) { id } node(id: $installation) { ... on IntegrationInstallation * }",
  },
  { path: "users/:user", type: "User", query: "node(id: $user) { ... on User * }" },
];

/** The paths of these pages, and of invitations. */
export const appPaths: readonly string[] = [...kinds.map(({ path }) => path), "invites/:key"];

/** The handler of `/app/…`. */
export function createAppPages(executor: Executor, contextOf: ContextOf): Handler {
  const finders = kinds.map((kind) => finderOf(kind, executor));
  return pagesFor(contextOf, async (context, path) => {
    const key = /^\/app\/invites\/([\w-]+)$/.exec(path)?.[1];
    if (key !== undefined) return findInvitationPage(context, key);
    for (const find of finders) {
      const page = await find(context, path);
      if (page) return page;
    }
    const organizationId = /^\/app\/orgs\/(\w+)$/.exec(path)?.[1];
    return organizationId === undefined ? null : findPreviewPage(context, organizationId);
  });
}

function finderOf({ path, type, query }: Kind, executor: Executor): FindPage {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const pattern = new RegExp(`^/app/${path.replaceAll(/:\w+/g, String.raw`([\w.-]+)`)}$`);
  const fields = fieldsOf(executor.schema, type);
  const declared = names.map((name) => `$${name}: ${name === "name" ? "String" : "ID"}!`).join(" ");
  const selection = `{ ${fields.join(" ")} ${type === "Space" || type === "Site" ? "urls { published }" : ""} }`;
  const operation = ownQuery(executor, `query AppPage(${declared}) { ${query.replace("*", selection)} }`);
  const contents = type === "Space" ? ownQuery(executor, contentsQuery) : null;
  return async (context, asked) => {
    const found = pattern.exec(asked);
    if (!found) return null;
    const variables = Object.fromEntries(names.map((name, index) => [name, found[index + 1]]));
    const data = await ask<object>(operation, context, variables);
    const thing = data && innermost(data);
    const below = thing && contents && (await ask<Contents>(contents, context, variables));
    return thing && pageOf(type, fields, { ...thing, ...below?.space });
  };
}

/** The fields of a type that are plain values and take no arguments. */
function fieldsOf(schema: GraphQLSchema, name: string): string[] {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`There is no type ${name}`);
  return Object.values(type.getFields()).flatMap((field) => {
    const isPlain = isLeafType(getNamedType(field.type)) && field.deprecationReason === undefined;
    const isText = field.name === "markdown";
    return isPlain && (field.args.length === 0 || isText) ? [field.name] : [];
  });
}

/** The pages of a space: asked for by themselves, since a deleted space shows none. */
const contentsQuery = `query AppPageContents($space: ID!) {
  space(id: $space) { content { id allPages { title level urls { app } } } }
}`;

interface Contents {
  readonly space: Pick<Thing, "content">;
}

interface Thing {
  readonly [name: string]: unknown;
  readonly urls?: { readonly published: string | null };
  readonly content?: { readonly allPages: readonly { title: string; level: number; urls: { app: string } }[] };
}

/** What a query has found: its last field, and the only one of that, until it is the thing itself, which has an id. */
function innermost(data: object): Thing | null {
  const last: unknown = Object.values(data).at(-1);
  if (typeof last !== "object" || last === null) return null;
  return "object" in last || "pageId" in last || "id" in last ? { ...last } : innermost(last);
}

function pageOf(type: string, fields: readonly string[], thing: Thing): PageForPeople {
  const { content, urls } = thing;
  const title = [thing["title"], thing["subject"], thing["displayName"]].find((text) => typeof text === "string");
  const pages = content?.allPages ?? [];
  return {
    status: 200,
    title: typeof title === "string" && title !== "" ? title : type,
    body: html`<p>${type}</p>
      ${listValues(fields.map((name) => [name, thing[name]]))}
      ${urls?.published ? html`<p>Published: ${linkTo(urls.published, urls.published)}</p>` : ""}
      ${
        pages.length > 0
          ? html`<h2>Pages</h2>
              <nav>
                <ul>
                  ${pages.map((page) => html`<li>${linkTo(page.urls.app, page.title)}</li>`)}
                </ul>
              </nav>`
          : ""
      }`,
  };
}

/** An invitation is for everybody who has its key, and shows nothing of the organization. */
async function findInvitationPage(context: Context, key: string): Promise<PageForPeople | null> {
  if (!(await findInvitation(context, key))) return null;
  return {
    status: 200,
    title: "You are invited to an organization",
    body: html`<p>
        Who has this link may join:
        <a href="${context.publicUrl}/sign-in?invite=${key}">join with your e-mail address</a>. A program joins with an
        API token of its own, by this operation of <a href="${context.publicUrl}/graphql">GraphQL</a>:
      </p>
      <pre>mutation { useInviteLink(input: { key: "${key}" }) { __typename } }</pre>`,
  };
}

/** An organization as it is shown to those who are not in it. */
async function findPreviewPage(context: Context, id: string): Promise<PageForPeople | null> {
  const preview = await findPreview(context, id);
  if (!preview) return null;
  const { title, hostname, logoURL } = preview;
  const values = Object.entries({ id, title, hostname, ...(logoURL !== null && { logo: logoURL }) });
  return {
    status: 200,
    title,
    body: html`<p>Organization</p>
      ${listValues(values)}`,
  };
}
