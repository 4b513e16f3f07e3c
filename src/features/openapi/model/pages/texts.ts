// Writes the pages other than those of operations.
import { isRecord } from "#src/base/json.ts";
import { exampleOfSchema, jsonOf } from "#src/features/openapi/model/pages/example.ts";
import { entriesOf, listOf } from "#src/features/openapi/model/lookup.ts";
import {
  code,
  codeBlock,
  item,
  lineOf,
  link,
  list,
  PageText,
  plain,
  webLink,
} from "#src/features/openapi/model/pages/markdown.ts";
import type { NamedOperation, OutlinedPage } from "#src/features/openapi/model/pages/outline.ts";
import { SchemaFields, type Writing } from "#src/features/openapi/model/pages/schema-fields.ts";
import { factsOf } from "#src/features/openapi/model/pages/schema-words.ts";
import type { ExternalDocs, OrReference, SecurityScheme } from "#src/features/openapi/model/spec-document.ts";

export const moreOf = ({ externalDocs }: { readonly externalDocs?: ExternalDocs | undefined }): string =>
  externalDocs ? `More: ${webLink(externalDocs.description, externalDocs.url)}` : "";

export function overviewText({ document, prose, linkTo }: Writing, pages: readonly OutlinedPage[]): string {
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

export function serversText({ document, prose }: Writing): string {
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

export function securityText({ document, lookup, prose }: Writing): string {
  const page = new PageText();
  for (const [name, given] of entriesOf(document.components?.securitySchemes)) {
    const scheme = lookup.follow(given as OrReference<SecurityScheme>); // it is one by its place
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

/** The operations of a tag, or without one. */
export function tagText(
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

export function modelsText({ linkTo }: Writing, pages: readonly OutlinedPage[]): string {
  const items = pages.map(({ key, title }) => item(link(plain(title), linkTo(key))));
  return new PageText().add(...lists(items)).toString();
}

/** A long list in parts, between which a page that is too long is cut. */
function* lists(items: readonly string[]): Generator<string> {
  for (let start = 0; start < items.length; start += 500) yield list(items.slice(start, start + 500));
}

export function modelText(writing: Writing, name: string): string {
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
