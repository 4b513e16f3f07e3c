// Writes the page of an operation: request, parameters, responses, callbacks and code samples.
import { type Direction, exampleOf, jsonOf } from "#src/features/openapi/model/pages/example.ts";
import {
  callbacksOf,
  entriesOf,
  parametersOf,
  type PlacedOperation,
  securityOf,
  serversOf,
} from "#src/features/openapi/model/lookup.ts";
import {
  code,
  codeBlock,
  item,
  lineOf,
  list,
  moreOf,
  PageText,
  plain,
} from "#src/features/openapi/model/pages/markdown.ts";
import { addressOf, isJson, samplesOf } from "#src/features/openapi/model/pages/samples.ts";
import { SchemaFields, type Writing, factsOf } from "#src/features/openapi/model/pages/schema-fields.ts";
import type {
  Header,
  MediaType,
  Operation,
  OrReference,
  Parameter,
  SecurityRequirement,
  SecurityScheme,
  SpecResponse,
} from "#src/features/openapi/model/spec-document.ts";

const places = [
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["header", "Headers"],
  ["cookie", "Cookies"],
] as const;

const mostCallbacks = 20;

export class OperationText {
  readonly #writing: Writing;
  readonly #schemes: Readonly<Record<string, SecurityScheme>>;

  constructor(writing: Writing) {
    this.#writing = writing;
    this.#schemes = Object.fromEntries(
      entriesOf(writing.document.components?.securitySchemes).map(([name, scheme]) => [
        name,
        writing.lookup.follow(scheme as OrReference<SecurityScheme>), // the document is valid
      ]),
    );
  }

  of(placed: PlacedOperation): string {
    const { method, path, operation, around, isWebhook } = placed;
    const { document, lookup, prose } = this.#writing;
    const [server] = serversOf(document, placed);
    const parameters = parametersOf(lookup, placed);
    const fields = new SchemaFields(this.#writing);
    const page = new PageText().add(
      codeBlock("http", `${method.toUpperCase()} ${isWebhook ? "" : addressOf(server)}${lineOf(path)}`),
      operation.deprecated === true ? "> **Deprecated.** Do not use it in what is new." : "",
      prose.of(operation.description ?? around.description),
      moreOf(operation),
      ...this.#security(placed),
      ...this.#exchange(placed, fields, "##"),
      ...this.#callbacks(operation, fields),
    );
    if (!isWebhook) page.add("## Code samples", ...this.#samples(placed, parameters));
    return page.toString();
  }

  /** Parameters, body and responses, under headings of this level. */
  #exchange(placed: PlacedOperation, fields: SchemaFields, level: string): string[] {
    const parameters = parametersOf(this.#writing.lookup, placed);
    return [
      ...places.flatMap(([place, title]) => {
        const here = parameters.filter((one) => one.in === place);
        const shown = here.map((one) => this.#value(one.name, one, fields));
        return here.length === 0 ? [] : [`${level} ${title}`, list(shown)];
      }),
      ...this.#body(placed.operation, fields, level),
      ...this.#responses(placed.operation, fields, level),
    ];
  }

  /** The callbacks of an operation, without callbacks of callbacks. */
  #callbacks(operation: Operation, fields: SchemaFields): string[] {
    const { lookup, prose } = this.#writing;
    const all = callbacksOf(lookup, operation);
    if (all.length === 0) return [];
    const shown = all
      .slice(0, mostCallbacks)
      .flatMap(({ name, placed }) => [
        `### ${plain(lineOf(placed.operation.summary) || name, 200)}`,
        codeBlock("http", `${placed.method.toUpperCase()} ${lineOf(placed.path)}`),
        placed.operation.deprecated === true ? "> **Deprecated.**" : "",
        prose.of(placed.operation.description ?? placed.around.description),
        ...this.#exchange(placed, fields, "####"),
      ]);
    const left = all.length - mostCallbacks;
    return ["## Callbacks", ...shown, ...(left > 0 ? [`*${left} more are left out.*`] : [])];
  }

  #samples(placed: PlacedOperation, parameters: readonly Parameter[]): string[] {
    const { lookup, document } = this.#writing;
    const { method, path, operation } = placed;
    const [server] = serversOf(document, placed);
    const [security] = securityOf(document, placed);
    const body = operation.requestBody ? lookup.follow(operation.requestBody) : null;
    return samplesOf(lookup, { method, path, server, parameters, body, security, schemes: this.#schemes });
  }

  #security(placed: PlacedOperation): string[] {
    const security = securityOf(this.#writing.document, placed);
    if (security.length === 0) return [];
    const ways = security.map((way) => item(this.#way(way)));
    return ["## Authorization", ...(ways.length > 1 ? ["One of these:"] : []), list(ways)];
  }

  #way(way: SecurityRequirement): string {
    const needed = Object.entries(way).map(([name, scopes]) => {
      const shown = scopes.slice(0, 50).map((scope) => code(scope));
      return `${code(name)}${shown.length > 0 ? ` with ${shown.join(", ")}` : ""}`;
    });
    return needed.length === 0 ? "nobody has to be known" : needed.join(" and ");
  }

  /** A parameter or header, as an item of a list. */
  #value(name: string, value: Header, fields: SchemaFields): string {
    const { lookup, words, prose } = this.#writing;
    const [[, media] = []] = entriesOf(value.content);
    const schema = value.schema ?? (media as MediaType | undefined)?.schema;
    const { keywords } = lookup.schema(schema);
    const example =
      (value.example ?? entriesOf(value.examples).length > 0) ? exampleOf(lookup, value, "request") : undefined;
    const facts = [words.kind(schema), ...(value.required === true ? ["required"] : []), ...factsOf(keywords)];
    const shown = typeof example === "string" ? example : (jsonOf(example, { limit: 200, space: 0 }) ?? "");
    const about = prose.of(value.description ?? keywords["description"], 3_000);
    const blocks = [about, shown === "" ? "" : `Example: ${code(shown, 200)}`, ...fields.of(schema, 1)];
    return item(
      `**${code(name)}**: ${facts.join(", ")}.${value.deprecated === true ? " **Deprecated.**" : ""}`,
      blocks.filter((block) => block !== ""),
    );
  }

  #body({ requestBody }: Operation, fields: SchemaFields, level: string): string[] {
    if (!requestBody) return [];
    const { description, required, content } = this.#writing.lookup.follow(requestBody);
    return [
      `${level} Request body`,
      this.#writing.prose.of(description),
      required === true ? "It has to be sent." : "",
      ...this.#content(content, "request", fields),
    ];
  }

  #responses({ responses }: Operation, fields: SchemaFields, level: string): string[] {
    const { lookup, prose } = this.#writing;
    const all = entriesOf(responses).flatMap(([status, given]) => {
      const { description, headers, content } = lookup.follow(given as OrReference<SpecResponse>);
      const shown = entriesOf(headers).map(([name, header]) =>
        this.#value(name, lookup.follow(header as OrReference<Header>), fields),
      );
      return [
        `${level}# ${plain(status === "default" ? "Any other status" : status, 20)}`,
        prose.of(description),
        ...(shown.length > 0 ? ["Headers:", list(shown)] : []),
        ...this.#content(content, "response", fields),
      ];
    });
    return all.length === 0 ? [] : [`${level} Responses`, ...all];
  }

  /** The media types of a body, each with an example. Media types of the same form are joined. */
  #content(content: unknown, direction: Direction, fields: SchemaFields): string[] {
    const { lookup, words } = this.#writing;
    const types = entriesOf(content) as [string, MediaType][];
    const byForm = Map.groupBy(types, ([type, media]) => (types.length > 1 && jsonOf(media, { space: 0 })) || type);
    return [...byForm.values()].flatMap((alike) => {
      const names = alike.map(([type]) => code(type)).join(", ");
      const [[type, media] = ["", {}]] = alike;
      const example = exampleBlock(type, exampleOf(lookup, media, direction));
      return [`${names}: ${words.kind(media.schema)}`, ...fields.of(media.schema, 1), example];
    });
  }
}

function exampleBlock(type: string, example: unknown): string {
  if (example === undefined) return "";
  if (isJson(type) || typeof example !== "string") {
    const text = jsonOf(example);
    return text === null ? "" : codeBlock("json", text);
  }
  if (example.length > 20_000) return "";
  return codeBlock(/xml/i.test(type) ? "xml" : "", example.toWellFormed().replaceAll("\u0000", "").trimEnd());
}
