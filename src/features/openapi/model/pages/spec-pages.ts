// The pages of a specification in Markdown: an overview, servers, authorization, a page for each tag with its
// operations below it, webhooks and models. The length of a page is bounded, so the time is linear in their number.
import { isRecord } from "#src/base/json.ts";
import { exampleOfSchema, jsonOf } from "#src/features/openapi/model/pages/example.ts";
import { entriesOf, listOf, Lookup } from "#src/features/openapi/model/lookup.ts";
import {
  code,
  codeBlock,
  item,
  lineOf,
  link,
  list,
  moreOf,
  PageText,
  plain,
  webLink,
} from "#src/features/openapi/model/pages/markdown.ts";
import { type NamedOperation, type OutlinedPage, outlineOf } from "#src/features/openapi/model/pages/outline.ts";
import { SchemaFields, type Writing, factsOf, SchemaWords } from "#src/features/openapi/model/pages/schema-fields.ts";
import type { OrReference, SecurityScheme, SpecDocument } from "#src/features/openapi/model/spec-document.ts";
import { OperationText } from "#src/features/openapi/model/pages/operation.ts";
import { Prose } from "#src/features/openapi/model/pages/prose.ts";

function overviewText({ document, prose, linkTo }: Writing, pages: readonly OutlinedPage[]): string {
  const { info } = document;
  const facts = [item(`Version ${code(info.version) || "unknown"}`), item(`OpenAPI ${code(document.openapi)}`)];
  const contents = pages.map(({ key, title, subject }) => {
    const count = "operations" in subject ? ` (${subject.operations.length})` : "";
    return item(`${link(plain(title), linkTo(key))}${count}`);
  });
  const page = new PageText().add(
    `**${plain(info.title)}**`,
    prose.of(info.summary),
    prose.of(info.description),
    list(facts),
    moreOf(document),
  );
  if (contents.length > 0) page.add("## Pages", list(contents));
  return page.toString();
}

function serversText({ document, prose }: Writing): string {
  const page = new PageText();
  for (const { url, description, variables } of document.servers ?? []) {
    const shown = entriesOf(variables).map(([name, variable]) => {
      const given = isRecord(variable) ? variable : {};
      const values = listOf(given["enum"])
        .slice(0, 50)
        .map((value) => code(value));
      const facts = [
        `${code(given["default"])} when left out`,
        ...(values.length > 0 ? [`one of ${values.join(", ")}`] : []),
      ];
      const about = prose.of(given["description"], 3_000);
      return item(`**${code(name)}**: ${facts.join(", ")}.`, about === "" ? [] : [about]);
    });
    page.add(codeBlock("", lineOf(url)), prose.of(description), shown.length > 0 ? list(shown) : "");
  }
  return page.toString();
}

function securityText({ document, lookup, prose }: Writing): string {
  const page = new PageText();
  for (const [name, given] of entriesOf(document.components?.securitySchemes)) {
    const scheme = lookup.follow(given as OrReference<SecurityScheme>); // the document is valid
    page.add(`## ${plain(name)}`, wayOf(scheme), prose.of(scheme.description), ...flowsOf(scheme));
  }
  return page.toString();
}

function wayOf({ type, name, in: place, scheme, bearerFormat, openIdConnectUrl }: SecurityScheme): string {
  switch (type) {
    case "apiKey":
      return `A key, as ${code(name)} in the ${plain(place, 50)}.`;
    case "http":
      return `HTTP authorization with the scheme ${code(scheme)}${bearerFormat ? `, as ${plain(bearerFormat, 100)}` : ""}.`;
    case "oauth2":
      return "OAuth 2.0.";
    case "openIdConnect":
      return `OpenID Connect: ${webLink("", openIdConnectUrl)}`;
    case "mutualTLS":
      return "A certificate of the client (mutual TLS).";
    default:
      return "";
  }
}

function flowsOf({ flows }: SecurityScheme): string[] {
  return entriesOf(flows).flatMap(([name, given]) => {
    const flow = isRecord(given) ? given : {};
    const addresses = (["authorizationUrl", "tokenUrl", "refreshUrl"] as const).flatMap((field) =>
      flow[field] === undefined ? [] : [item(`${field}: ${webLink("", flow[field])}`)],
    );
    const scopes = entriesOf(flow["scopes"])
      .slice(0, 1_000)
      .map(([scope, about]) => item(`${code(scope)}: ${plain(about)}`));
    const lists = [...addresses, ...scopes];
    return [`### ${plain(name)}`, ...(lists.length > 0 ? [list(lists)] : [])];
  });
}

function tagText(
  { document, prose, linkTo }: Writing,
  tag: string | null,
  operations: readonly NamedOperation[],
): string {
  const about = tag === null ? undefined : (document.tags ?? []).find(({ name }) => lineOf(name) === tag);
  const items = operations.map(({ method, path, title, key, operation }) => {
    const deprecated = operation.deprecated === true ? " **Deprecated.**" : "";
    return item(`${code(`${method.toUpperCase()} ${path}`, 300)} ${link(plain(title, 200), linkTo(key))}${deprecated}`);
  });
  return new PageText().add(prose.of(about?.description), about ? moreOf(about) : "", ...lists(items)).toString();
}

function modelsText({ linkTo }: Writing, pages: readonly OutlinedPage[]): string {
  const items = pages.map(({ key, title }) => item(link(plain(title), linkTo(key))));
  return new PageText().add(...lists(items)).toString();
}

/** A long list in parts; pages that are too long are cut between them. */
function* lists(items: readonly string[]): Generator<string> {
  for (let start = 0; start < items.length; start += 500) yield list(items.slice(start, start + 500));
}

function modelText(writing: Writing, name: string): string {
  const { document, lookup, words, prose } = writing;
  const schema = Object.hasOwn(document.components?.schemas ?? {}, name)
    ? document.components?.schemas?.[name]
    : undefined;
  const found = lookup.schema(schema);
  const { keywords } = found;
  const facts = [found.model === null ? words.ownKind(found) : words.kind(schema), ...factsOf(keywords)];
  const example = jsonOf(exampleOfSchema(lookup, schema));
  const page = new PageText().add(
    keywords["deprecated"] === true ? "> **Deprecated.**" : "",
    prose.of(keywords["description"]),
    `It is: ${facts.join(", ")}.`,
    ...new SchemaFields(writing).of(schema),
  );
  if (example !== null) page.add("## Example", codeBlock("json", example));
  return page.toString();
}

export interface SpecPage extends Pick<OutlinedPage, "key" | "title" | "slug"> {
  readonly text: string;
  readonly pages: readonly SpecPage[];
}

interface PagesOptions {
  /** The key of the page to make, with those below it; by default the overview with all pages. */
  readonly doc?: string | undefined;
  /** The address of a page by its key, for links. */
  readonly addressOf: (key: string) => string;
  /** The limits of pages below the first one, and of their levels. */
  readonly room: { readonly pages: number; readonly levels: number };
  /** False to write descriptions as plain text. */
  readonly parses: boolean;
}

/** The page of the key, with those below it; null if the specification does not have it. */
export function specPages(document: SpecDocument, { doc, addressOf, room, parses }: PagesOptions): SpecPage | null {
  const lookup = new Lookup(document);
  const found = find(outlineOf(document, lookup), doc ?? "overview");
  if (!found) return null;
  const { page, isAll } = within(found, room);
  const keys = new Set(keysIn(page));
  const linkTo = (key: string) => (keys.has(key) ? addressOf(key) : null);
  const words = new SchemaWords(lookup, (model) => linkTo(`models/${model}`));
  const made = new Writer({ document, lookup, words, prose: new Prose({ parses }), linkTo }).write(page);
  return isAll
    ? made
    : { ...made, text: `${made.text}\n\n*Further pages are left out: a content has no room for them.*` };
}

function find(page: OutlinedPage, key: string): OutlinedPage | null {
  if (page.key === key) return page;
  for (const below of page.pages) {
    const found = find(below, key);
    if (found) return found;
  }
  return null;
}

/** The page with as many pages below it as fit. */
function within(page: OutlinedPage, room: PagesOptions["room"]): { page: OutlinedPage; isAll: boolean } {
  let left = room.pages;
  let isAll = true;
  const keep = ({ pages, ...own }: OutlinedPage, level: number): OutlinedPage => ({
    ...own,
    pages: pages.flatMap((below) => {
      const fits = left > 0 && level < room.levels;
      if (fits) left--;
      isAll &&= fits;
      return fits ? [keep(below, level + 1)] : [];
    }),
  });
  return { page: keep(page, 0), isAll };
}

function* keysIn(page: OutlinedPage): Generator<string> {
  yield page.key;
  for (const below of page.pages) yield* keysIn(below);
}

class Writer {
  readonly #writing: Writing;
  readonly #operations: OperationText;

  constructor(writing: Writing) {
    this.#writing = writing;
    this.#operations = new OperationText(writing);
  }

  write(page: OutlinedPage): SpecPage {
    const { key, title, slug } = page;
    return { key, title, slug, text: this.#text(page), pages: page.pages.map((below) => this.write(below)) };
  }

  #text({ subject, pages }: OutlinedPage): string {
    switch (subject.kind) {
      case "overview":
        return overviewText(this.#writing, pages);
      case "servers":
        return serversText(this.#writing);
      case "security":
        return securityText(this.#writing);
      case "tag":
        return tagText(this.#writing, subject.tag, subject.operations);
      case "webhooks":
        return tagText(this.#writing, null, subject.operations);
      case "operation":
        return this.#operations.of(subject.operation);
      case "models":
        return modelsText(this.#writing, pages);
      case "model":
        return modelText(this.#writing, subject.model);
    }
  }
}
