// The pages under `/app/`: the targets of `urls.app` if no other application is configured. Each shows an object as
// data, to users who may see it.
import { getNamedType, type GraphQLObjectType, isLeafType, isObjectType } from "graphql";
import type { Context } from "#src/domain/context.ts";
import type { Executor } from "#src/graph/run/execute.ts";
import type { ContextOf, Exchange } from "#src/http/exchange.ts";
import { type Html, html, type PageForPeople, sendPage } from "#src/http/html.ts";
import { ask, ownQuery } from "#src/http/page-request.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The page of an object, at a path below `/app/` in which `:noun` is an id or a name; a `:key` is a secret. */
interface ThingPage {
  readonly path: string;
  readonly type: string;
  /** The query for the object, its last field: `*` means the plain fields of the type, `$noun` values. */
  readonly query: string;
  readonly below?: { readonly query: string; readonly show: (data: never) => Html };
}

interface FoundPage {
  readonly path: string;
  readonly find: (context: Context, variables: Variables) => Promise<PageForPeople | null>;
}

/** See the head of this file. Of pages at the same path, the first that finds an object responds. */
export type AppPage = ThingPage | FoundPage;

type FindPage = (context: Context, path: string) => Promise<PageForPeople | null>;

interface AppPages {
  /** Responds; resolves with false if the page does not exist or is not visible. */
  readonly show: (exchange: Exchange) => Promise<boolean>;
  /** The path for the log, without secrets. */
  readonly loggedPath: (path: string) => string;
}

/** Makes these pages. */
export function appPages(executor: Executor, contextOf: ContextOf, pages: readonly AppPage[]): AppPages {
  const finders = pages.map((page) => finderOf(page, executor));
  const show = async (exchange: Exchange) => {
    const context = await contextOf(exchange);
    for (const find of finders) {
      const page = await find(context, exchange.path);
      if (page) sendPage(exchange, page);
      if (page) return true;
    }
    return false;
  };
  const secret = pages.flatMap(({ path }) => (path.endsWith("/:key") ? `/app/${path.replace(/:key$/, "")}` : []));
  const loggedPath = (path: string) => secret.find((start) => path.startsWith(start))?.slice(0, -1) ?? path;
  return { show, loggedPath };
}

function finderOf(page: AppPage, executor: Executor): FindPage {
  const names = [...page.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const pattern = new RegExp(`^/app/${page.path.replaceAll(/:\w+/g, String.raw`([\w.-]+)`)}$`);
  const find = "find" in page ? page.find : thingFinder(page, names, executor);
  return async (context, path) => {
    const found = pattern.exec(path);
    return found && find(context, Object.fromEntries(names.map((name, index) => [name, found[index + 1]])));
  };
}

function thingFinder({ type: typeName, query, below }: ThingPage, names: readonly string[], executor: Executor) {
  const type = executor.schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`The type ${typeName} does not exist in the schema`);
  const fields = plainFieldsOf(type);
  const urls = getNamedType(type.getFields()["urls"]?.type);
  const isPublished = isObjectType(urls) && "published" in urls.getFields();
  const selection = `{ ${fields.join(" ")} ${isPublished ? "urls { published }" : ""} }`;
  const declared = names.map((name) => `$${name}: ${name === "name" ? "String" : "ID"}!`).join(" ");
  const operation = ownQuery(executor, `query AppPage(${declared}) { ${query.replace("*", selection)} }`);
  const listed = below && ownQuery(executor, `query AppPageBelow(${declared}) { ${below.query} }`);
  return async (context: Context, variables: Variables): Promise<PageForPeople | null> => {
    const data = await ask<object>(operation, context, variables);
    const thing = data && innermost(data);
    // A separate query: a deleted object shows nothing below it.
    const found = thing && listed && (await ask<never>(listed, context, variables));
    return thing && pageOf(typeName, fields, thing, found && below?.show(found));
  };
}

const plainFieldsOf = (type: GraphQLObjectType): string[] =>
  Object.values(type.getFields()).flatMap((field) => {
    const isPlain = isLeafType(getNamedType(field.type)) && field.deprecationReason === undefined;
    return isPlain && (field.args.length === 0 || field.name === "markdown") ? [field.name] : [];
  });

interface Thing {
  readonly [name: string]: unknown;
  readonly urls?: { readonly published: string | null };
}

/** The result of a query: its last field, and the only field of that, until the object itself, which has an id. */
function innermost(data: object): Thing | null {
  const last: unknown = Object.values(data).at(-1);
  if (typeof last !== "object" || last === null) return null;
  return "object" in last || "pageId" in last || "id" in last ? { ...last } : innermost(last);
}

function pageOf(type: string, fields: readonly string[], thing: Thing, below: Html | null | undefined): PageForPeople {
  const published = thing.urls?.published;
  const title = [thing["title"], thing["subject"], thing["displayName"]].find((text) => typeof text === "string");
  return {
    status: 200,
    title: typeof title === "string" && title !== "" ? title : type,
    body: html`<p>${type}</p>
      ${listValues(fields.map((name) => [name, thing[name]]))}
      ${published ? html`<p>Published: ${linkTo(published, published)}</p>` : ""} ${below ?? ""}`,
  };
}

/** Names and values as a list; those without a value are omitted. */
export function listValues(values: readonly (readonly [name: string, value: unknown])[]): Html {
  const given = values.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return html`<dl>
    ${given.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${shown(value)}</dd>`,
    )}
  </dl>`;
}

function shown(value: unknown): Html {
  if (typeof value !== "string") return html`${JSON.stringify(value)}`;
  return value.includes("\n") ? html`<pre>${value}</pre>` : html`${value}`;
}

/** A link to an address of docgraph or of a frontend; only its text if the address is missing. */
const linkTo = (address: string | null | undefined, text: string): Html =>
  address && /^https?:/.test(address) ? html`<a href="${address}">${text}</a>` : html`${text}`;
