// Writes the page of an operation: request, parameters, responses, callbacks and code samples.
import { bodyOf, bodyWith, shownBody } from "#src/features/openapi/model/pages/bodies.ts";
import {
  type Direction,
  type GivenExample,
  givenExamplesOf,
  jsonOf,
} from "#src/features/openapi/model/pages/example.ts";
import {
  callbacksOf,
  entriesOf,
  methodOf,
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
  link,
  list,
  moreOf,
  PageText,
  plain,
  webLink,
} from "#src/features/openapi/model/pages/markdown.ts";
import { bodyFormOf } from "#src/features/openapi/model/pages/media-types.ts";
import { samplesOf } from "#src/features/openapi/model/pages/samples.ts";
import { SchemaFields, type Writing } from "#src/features/openapi/model/pages/schema-fields.ts";
import { addressOf } from "#src/features/openapi/model/pages/servers.ts";
import type {
  Header,
  MediaType,
  Operation,
  OrReference,
  Parameter,
  SecurityRequirement,
  SecurityScheme,
  SpecLink,
  SpecResponse,
} from "#src/features/openapi/model/spec-document.ts";

const places = [
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["header", "Headers"],
  ["querystring", "Query"],
  ["cookie", "Cookies"],
] as const;

const mostCallbacks = 20;
const mostExamples = 20;

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
    const { path, operation, around, isWebhook } = placed;
    const { lookup, prose, base } = this.#writing;
    const parameters = parametersOf(lookup, placed);
    const fields = new SchemaFields(this.#writing);
    const page = new PageText().add(
      codeBlock("http", `${methodOf(placed)} ${isWebhook ? "" : this.#server(placed)}${lineOf(path)}`),
      operation.deprecated === true ? "> **Deprecated.** Do not use it in what is new." : "",
      prose.of(operation.description ?? around.description),
      moreOf(operation, base),
      ...this.#servers(placed),
      ...this.#security(placed),
      ...this.#exchange(placed, fields, "##"),
      ...this.#callbacks(operation, fields),
    );
    if (!isWebhook) page.add("## Code samples", ...this.#samples(placed, parameters));
    return page.toString();
  }

  #server(placed: PlacedOperation): string {
    const { document, base } = this.#writing;
    return addressOf(serversOf(document, placed)[0], base);
  }

  /** The servers of an operation that are not those of the document. */
  #servers(placed: PlacedOperation): string[] {
    const { document, base, prose } = this.#writing;
    const servers = serversOf(document, placed);
    if (placed.isWebhook || servers === document.servers || servers.length === 0) return [];
    const shown = servers.map((server) => {
      const about = prose.of(server.description, 3_000);
      return item(code(addressOf(server, base)), about === "" ? [] : [about]);
    });
    return ["## Servers", list(shown)];
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
        codeBlock("http", `${methodOf(placed)} ${lineOf(placed.path)}`),
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
    const server = this.#server(placed);
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
    const [[, given] = []] = entriesOf(value.content);
    const media = lookup.follow<MediaType>((given ?? {}) as MediaType); // repaired
    const schema = value.schema ?? media.schema;
    const found = lookup.schema(schema);
    const examples = givenExamplesOf(lookup, { ...media, ...value }).slice(0, mostExamples);
    const facts = [words.kind(schema), ...(value.required === true ? ["required"] : []), ...words.facts(found)];
    const about = prose.of(value.description ?? found.keywords["description"], 3_000);
    const blocks = [about, ...examples.map((one) => this.#valueExample(one)), ...fields.of(schema, 1)];
    return item(
      `**${code(name)}**: ${facts.join(", ")}.${value.deprecated === true ? " **Deprecated.**" : ""}`,
      blocks.filter((block) => block !== ""),
    );
  }

  /** An example in one line. */
  #valueExample({ name, summary, value, text, url }: GivenExample): string {
    const shown = text ?? (typeof value === "string" ? value : (jsonOf(value, { limit: 200, space: 0 }) ?? ""));
    const title = name === null ? "" : ` ${plain(lineOf(summary) || name, 100)}`;
    const example = shown === "" ? webLink("", url, this.#writing.base) : code(shown, 200);
    return example === "" ? "" : `Example${title}: ${example}`;
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
      if (status.startsWith("x-")) return [];
      const { summary, description, headers, content, links } = lookup.follow(given as OrReference<SpecResponse>);
      const shown = entriesOf(headers).map(([name, header]) =>
        this.#value(name, lookup.follow(header as OrReference<Header>), fields),
      );
      return [
        `${level}# ${plain(status === "default" ? "Any other status" : status, 20)}`,
        prose.of(summary),
        prose.of(description),
        ...(shown.length > 0 ? ["Headers:", list(shown)] : []),
        ...this.#content(content, "response", fields),
        ...this.#links(links),
      ];
    });
    return all.length === 0 ? [] : [`${level} Responses`, ...all];
  }

  /** The requests that a response leads to. */
  #links(links: SpecResponse["links"]): string[] {
    const { lookup, linkTo, prose } = this.#writing;
    const shown = entriesOf(links).map(([name, given]) => {
      const { operationId, operationRef, description, parameters } = lookup.follow(given as OrReference<SpecLink>);
      const target = linkTo(`operations/${lineOf(operationId)}`);
      const called = link(code(operationId ?? operationRef), target);
      const values = entriesOf(parameters).map(([key, value]) => {
        const text = typeof value === "string" ? value : (jsonOf(value, { limit: 200, space: 0 }) ?? "");
        return `${code(key)} = ${code(text) || "``"}`;
      });
      const about = prose.of(description, 3_000);
      const how = `${called}${values.length > 0 ? ` with ${values.join(", ")}` : ""}`;
      return item(`**${plain(name)}**: ${how}.`, about === "" ? [] : [about]);
    });
    return shown.length === 0 ? [] : ["Links:", list(shown)];
  }

  /** The media types of a body, each with examples. Media types of the same form are joined. */
  #content(content: unknown, direction: Direction, fields: SchemaFields): string[] {
    const { lookup } = this.#writing;
    const types = entriesOf(content).map(([type, given]): [string, MediaType] => [
      type,
      lookup.follow(given as OrReference<MediaType>),
    ]);
    const byForm = Map.groupBy(types, ([type, media]) => {
      const json = types.length > 1 && jsonOf(media, { space: 0 });
      return json ? `${bodyFormOf(type)} ${json}` : type;
    });
    return [...byForm.values()].flatMap((alike) => {
      const names = alike.map(([type]) => code(type)).join(", ");
      const [[type, media] = ["", {}]] = alike;
      const { schema, itemSchema } = media;
      return [
        `${names}: ${this.#kind(type, media)}`,
        ...fields.of(schema, 1),
        ...(itemSchema === undefined ? [] : fields.of(itemSchema, 1)),
        ...this.#examples(type, media, direction),
      ];
    });
  }

  #kind(type: string, { schema, itemSchema }: MediaType): string {
    const { words, lookup } = this.#writing;
    if (itemSchema !== undefined) return `sequence of ${words.kind(itemSchema)}`;
    const isEmpty = Object.keys(lookup.schema(schema).keywords).length === 0;
    return isEmpty && schema !== false && bodyFormOf(type) === "binary" ? "binary data" : words.kind(schema);
  }

  /** The given examples of a body, else one that is made. */
  #examples(mediaType: string, media: MediaType, direction: Direction): string[] {
    const { lookup } = this.#writing;
    const given = givenExamplesOf(lookup, media);
    const written = { mediaType, media, direction };
    if (given.length === 0) return [blockOf(bodyOf(lookup, written))];
    const left = given.length - mostExamples;
    return [
      ...given
        .slice(0, mostExamples)
        .flatMap((one) => [
          ...this.#aboutExample(one),
          one.text === undefined
            ? blockOf(one.value === undefined ? null : bodyWith(lookup, written, one.value))
            : blockOf(bodyWith(lookup, { ...written, media: {} }, one.text)),
        ]),
      ...(left > 0 ? [`*${left} more examples are left out.*`] : []),
    ];
  }

  #aboutExample({ name, summary, description, url }: GivenExample): string[] {
    const { prose, base } = this.#writing;
    const title = name === null ? "" : `Example ${code(name)}`;
    const about = plain(summary, 300);
    const heading = title === "" ? about : about === "" ? `${title}:` : `${title}: ${about}`;
    return [heading, prose.of(description, 3_000), url === undefined ? "" : webLink("", url, base)];
  }
}

function blockOf(body: ReturnType<typeof bodyOf>): string {
  const shown = body && shownBody(body);
  return shown ? codeBlock(shown.language, shown.text) : "";
}
