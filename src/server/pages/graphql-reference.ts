// The reference of GraphQL at `/reference/graphql`: an overview, a search, and a page for each type. It is made from
// the schema, each page once.
import { abridgedValue } from "#src/base/text/cut.ts";
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  type GraphQLObjectType,
} from "graphql";
import { type Handler, searchOf } from "#src/server/http/exchange.ts";
import {
  type Found,
  indexSchema,
  kindOf,
  kinds,
  type SchemaIndex,
  searchSchema,
} from "#src/server/pages/schema-uses.ts";
import type { ServePage, SitePage } from "#src/server/pages/site.ts";
import { namesList, prose, typeBody, typeLink, typePath } from "#src/server/pages/type-page.ts";
import { html, type Html } from "#src/server/http/html.ts";

/** The longest text that is looked for, in characters. */
const longestSearch = 100;

/** Makes the handler of the overview and of all pages below it. */
export function graphqlReference(serve: ServePage, schema: GraphQLSchema): Handler {
  let indexed: SchemaIndex | undefined;
  const indexNow = () => (indexed ??= indexSchema(schema));
  const bodies = new Map<string, Html>();
  const once = (name: string, make: () => Html): Html => {
    const body = bodies.get(name) ?? make();
    bodies.set(name, body);
    return body;
  };
  return serve(async ({ path, request }) => {
    const index = indexNow();
    const name = path.slice(typePath.length);
    if (name !== "") {
      const type = index.types.find((one) => one.name === name);
      return type
        ? framed(
            name,
            once(name, () => bodyOf(schema, index, type)),
          )
        : unknownType(index, name);
    }
    const text = (new URLSearchParams(searchOf(request)).get("q") ?? "").trim().slice(0, longestSearch);
    if (text !== "") return framed(`“${text}”`, results(text, searchSchema(index, text)), text);
    return framed(
      "GraphQL reference",
      once("", () => overview(schema, index)),
    );
  });
}

function framed(title: string, body: Html, text = ""): SitePage {
  return {
    title,
    modules: ["search.js"],
    body: html`<main id="main">
      <form class="search" role="search" action="/reference/graphql">
        <input
          type="search"
          name="q"
          value="${text}"
          aria-label="Search types, fields and descriptions"
          placeholder="Search types, fields, descriptions"
        />
        <button>Search</button>
      </form>
      <div id="results" aria-live="polite">${body}</div>
    </main>`,
  };
}

function bodyOf(schema: GraphQLSchema, { usesOf }: SchemaIndex, type: GraphQLNamedType): Html {
  const implementers =
    isInterfaceType(type) && isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [];
  return typeBody(type, { uses: usesOf(type.name), implementers });
}

function unknownType(index: SchemaIndex, asked: string): SitePage {
  const name = abridgedValue(asked);
  const { types } = searchSchema(index, name);
  const near =
    types.length > 0
      ? html`<p>Did you mean one of these?</p>
          ${namesList(types.map((type) => type.name))}`
      : html``;
  return {
    ...framed(
      "No such type",
      html`<h1>There is no type ${name}</h1>
        ${near}`,
      name,
    ),
    status: 404,
  };
}

const roots = [
  ["Queries", (schema: GraphQLSchema) => schema.getQueryType()],
  ["Mutations", (schema: GraphQLSchema) => schema.getMutationType()],
  ["Subscriptions", (schema: GraphQLSchema) => schema.getSubscriptionType()],
] as const;

function overview(schema: GraphQLSchema, { types }: SchemaIndex): Html {
  const rootTypes = roots.map(([, of]) => of(schema));
  return html`<h1>GraphQL reference</h1>
    <p>
      Everything that <code>/graphql</code> takes, made from the schema that this gateway runs. Lists are connections;
      ids are opaque; what you may not see is not there.
      <a href="/readme#graphql">The rules that hold everywhere</a> are in the README, and
      <a href="/reference/errors">the codes of errors</a> have a page of their own.
    </p>
    ${roots.map(([title, of]) => rootOf(title, of(schema)))}
    ${kinds.map((kind) => {
      const names = types
        .filter((type) => kindOf(type) === kind && !rootTypes.some((root) => root === type))
        .map(({ name }) => name);
      return html`<details ${kind === "Object" ? html`open` : ""}>
        <summary>${kind === "Input" ? "Input types" : `${kind} types`} (${names.length})</summary>
        ${namesList(names)}
      </details>`;
    })}`;
}

function rootOf(title: string, root: GraphQLObjectType | null | undefined): Html {
  if (!root) return html``;
  const fields = Object.values(root.getFields()).filter(({ deprecationReason }) => deprecationReason == null);
  return html`<details ${title === "Queries" ? html`open` : ""}>
    <summary>${title} (${fields.length})</summary>
    <ul class="entries">
      ${fields.map((field) => fieldOf(root.name, field))}
    </ul>
  </details>`;
}

const fieldOf = (root: string, { name, description }: GraphQLField<unknown, unknown>): Html =>
  html`<li>
    <p class="signature">${typeLink(root, name, name)}</p>
    ${prose(description ?? "")}
  </li>`;

function results(text: string, { types, members, more }: Found): Html {
  if (types.length + members.length === 0)
    return html`<h1>Nothing has “${text}”</h1>
      <p>Names and descriptions were looked through.</p>`;
  return html`<h1>“${text}”</h1>
    ${
      types.length > 0
        ? html`<h2>Types</h2>
            ${namesList(types.map(({ name }) => name))}`
        : ""
    }
    ${
      members.length > 0
        ? html`<h2>Fields, arguments and values</h2>
            <ul class="entries">
              ${members.map(
                ({ typeName, name, anchor, description, isDeprecated }) =>
                  html`<li>
                    <p class="signature">
                      ${typeLink(typeName, anchor, `${typeName}.${name}`)}${isDeprecated ? html` <span class="deprecated">deprecated</span>` : ""}
                    </p>
                    ${prose(description)}
                  </li>`,
              )}
            </ul>`
        : ""
    }
    ${more > 0 ? html`<p>And ${more} more: name another word.</p>` : ""}`;
}
