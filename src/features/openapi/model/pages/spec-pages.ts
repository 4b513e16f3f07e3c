// The pages of a specification in Markdown: an overview, servers, authorization, a page for each tag with its
// operations below it, webhooks and models. The length of a page is bounded, so the time is linear in their number.
import { isRecord } from "#src/base/json.ts";
import { exampleOfSchema, jsonOf, schemaExamplesOf } from "#src/features/openapi/model/pages/example.ts";
import { entriesOf, listOf, Lookup, methodOf } from "#src/features/openapi/model/lookup.ts";
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
import { SchemaFields, type Writing } from "#src/features/openapi/model/pages/schema-fields.ts";
import { SchemaWords } from "#src/features/openapi/model/pages/schema-words.ts";
import { addressOf, baseOf } from "#src/features/openapi/model/pages/servers.ts";
import type {
  OrReference,
  SecurityScheme,
  SpecDocument,
  SpecServer,
} from "#src/features/openapi/model/spec-document.ts";
import { OperationText } from "#src/features/openapi/model/pages/operation.ts";
import { Prose } from "#src/features/openapi/model/pages/prose.ts";

function overviewText({ document, prose, base, linkTo }: Writing, pages: readonly OutlinedPage[]): string {
  const { info } = document;
  const facts = [
    item(`Version ${code(info.version) || "unknown"}`),
    item(`OpenAPI ${code(document.openapi)}`),
    ...termsOf(document, base),
  ];
  const contents = pages.map(({ key, title, subject }) => {
    const count = "operations" in subject ? ` (${subject.operations.length})` : "";
    return item(`${link(plain(title), linkTo(key))}${count}`);
  });
  const page = new PageText().add(
    `**${plain(info.title)}**`,
    prose.of(info.summary),
    prose.of(info.description),
    list(facts),
    moreOf(document, base),
  );
  if (contents.length > 0) page.add("## Pages", list(contents));
  return page.toString();
}

/** Contact, licence and terms of service. */
function termsOf({ info }: SpecDocument, base: string | null): string[] {
  const contact = isRecord(info.contact) ? info.contact : {};
  const license = isRecord(info.license) ? info.license : {};
  const email = lineOf(contact["email"]);
  const contacts = [
    webLink(contact["name"], contact["url"], base),
    email === "" ? "" : webLink(email, `mailto:${email}`, null),
  ].filter((text) => text !== "");
  const name = lineOf(license["name"]) || lineOf(license["identifier"]);
  return [
    ...(contacts.length > 0 ? [item(`Contact: ${contacts.join(", ")}`)] : []),
    ...(name === "" ? [] : [item(`License: ${webLink(name, license["url"], base)}`)]),
    ...(info.termsOfService === undefined ? [] : [item(webLink("Terms of service", info.termsOfService, base))]),
  ];
}

function serversText({ document, prose, base }: Writing): string {
  const page = new PageText();
  for (const server of document.servers ?? []) {
    const shown = entriesOf(server.variables).map(([name, variable]) => {
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
    const name = plain(server.name, 200);
    page.add(
      name === "" ? "" : `**${name}**`,
      codeBlock("", shownAddress(server, base)),
      prose.of(server.description),
      shown.length > 0 ? list(shown) : "",
    );
  }
  return page.toString();
}

/** The address with its variables; a relative one is resolved if the address of the document is known. */
const shownAddress = (server: SpecServer, base: string | null): string =>
  base === null ? lineOf(server.url) : addressOf({ url: lineOf(server.url) }, base);

function securityText({ document, lookup, prose, base }: Writing): string {
  const page = new PageText();
  for (const [name, given] of entriesOf(document.components?.securitySchemes)) {
    const scheme = lookup.follow(given as OrReference<SecurityScheme>); // repaired
    const deprecated = scheme.deprecated === true ? "> **Deprecated.**" : "";
    page.add(
      `## ${plain(name)}`,
      deprecated,
      wayOf(scheme, base),
      prose.of(scheme.description),
      ...flowsOf(scheme, base),
    );
  }
  return page.toString();
}

function wayOf(
  { type, name, in: place, scheme, bearerFormat, openIdConnectUrl, oauth2MetadataUrl }: SecurityScheme,
  base: string | null,
): string {
  switch (type) {
    case "apiKey":
      return `A key, as ${code(name)} in the ${plain(place, 50)}.`;
    case "http":
      return `HTTP authorization with the scheme ${code(scheme)}${bearerFormat ? `, as ${plain(bearerFormat, 100)}` : ""}.`;
    case "oauth2":
      return oauth2MetadataUrl === undefined ? "OAuth 2.0." : `OAuth 2.0: ${webLink("", oauth2MetadataUrl, base)}`;
    case "openIdConnect":
      return `OpenID Connect: ${webLink("", openIdConnectUrl, base)}`;
    case "mutualTLS":
      return "A certificate of the client (mutual TLS).";
    default:
      return "";
  }
}

const flowUrls = ["authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl"];

function flowsOf({ flows }: SecurityScheme, base: string | null): string[] {
  return entriesOf(flows).flatMap(([name, given]) => {
    const flow = isRecord(given) ? given : {};
    const addresses = flowUrls.flatMap((field) =>
      flow[field] === undefined ? [] : [item(`${field}: ${webLink("", flow[field], base)}`)],
    );
    const scopes = entriesOf(flow["scopes"])
      .slice(0, 1_000)
      .map(([scope, about]) => item(`${code(scope)}: ${plain(about)}`));
    const lists = [...addresses, ...scopes];
    return [`### ${plain(name)}`, ...(lists.length > 0 ? [list(lists)] : [])];
  });
}

function tagText(
  { document, prose, base, linkTo }: Writing,
  tag: string | null,
  { operations, tags }: { operations: readonly NamedOperation[]; tags: readonly OutlinedPage[] },
): string {
  const about = tag === null ? undefined : (document.tags ?? []).find(({ name }) => lineOf(name) === tag);
  const items = operations.map(({ method, path, title, key, operation }) => {
    const deprecated = operation.deprecated === true ? " **Deprecated.**" : "";
    return item(`${code(`${methodOf({ method })} ${path}`, 300)} ${link(plain(title, 200), linkTo(key))}${deprecated}`);
  });
  const below = tags.map(({ key, title }) => item(link(plain(title), linkTo(key))));
  const more = about ? moreOf(about, base) : "";
  return new PageText().add(prose.of(about?.description), more, ...lists(below), ...lists(items)).toString();
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
  const { example: _example, examples: _examples, ...others } = keywords; // shown below
  const facts = [
    found.model === null ? words.ownKind(found) : words.kind(schema),
    ...words.facts({ keywords: others, model: null }),
  ];
  const page = new PageText().add(
    keywords["deprecated"] === true ? "> **Deprecated.**" : "",
    prose.of(keywords["description"]),
    `It is: ${facts.join(", ")}.`,
    ...new SchemaFields(writing).of(schema),
  );
  const given = schemaExamplesOf(keywords);
  const examples = given.length > 1 ? given.slice(0, 20) : [exampleOfSchema(lookup, schema)];
  const shown = examples.flatMap((value) => jsonOf(value) ?? []).map((text) => codeBlock("json", text));
  if (shown.length > 0) page.add(shown.length > 1 ? "## Examples" : "## Example", ...shown);
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
  /** The address of the specification; by default unknown. */
  readonly source?: string | null;
  readonly withoutHtml?: ConstructorParameters<typeof Prose>[0]["withoutHtml"];
}

/** The page of the key, with those below it; null if the specification does not have it. */
export function specPages(document: SpecDocument, options: PagesOptions): SpecPage | null {
  const { doc, room, parses, source = null, withoutHtml } = options;
  const lookup = new Lookup(document);
  const base = baseOf(document, source);
  const found = find(outlineOf(document, lookup), doc ?? "overview");
  if (!found) return null;
  const { page, isAll } = within(found, room);
  const keys = new Set(keysIn(page));
  const linkTo = (key: string) => (keys.has(key) ? options.addressOf(key) : null);
  const words = new SchemaWords(lookup, (model) => linkTo(`models/${model}`));
  const prose = new Prose({ parses, base, withoutHtml });
  const made = new Writer({ document, lookup, words, prose, base, linkTo }).write(page);
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
        return tagText(this.#writing, subject.tag, {
          operations: subject.operations,
          tags: pages.filter((page) => page.subject.kind === "tag"),
        });
      case "webhooks":
        return tagText(this.#writing, null, { operations: subject.operations, tags: [] });
      case "operation":
        return this.#operations.of(subject.operation);
      case "models":
        return modelsText(this.#writing, pages);
      case "model":
        return modelText(this.#writing, subject.model);
    }
  }
}
