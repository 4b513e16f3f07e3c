// Compares operations: parameters, bodies, responses and authorization.
import {
  type ChangeCollector,
  type Pair,
  type Place,
  type Values,
  without,
  type RuleName,
  type Sender,
} from "#src/features/openapi/model/changes/change.ts";
import type { SchemaComparison } from "#src/features/openapi/model/changes/schemas.ts";
import {
  entriesOf,
  type Lookup,
  parametersOf,
  type PlacedOperation,
  securityOf,
} from "#src/features/openapi/model/lookup.ts";
import type {
  Header,
  MediaType,
  OrReference,
  Parameter,
  RequestBody,
  SecurityRequirement,
  SpecDocument,
  SpecResponse,
} from "#src/features/openapi/model/spec-document.ts";

/** A document with its operations by method and path. */
export interface OpenDocument {
  readonly document: SpecDocument;
  readonly lookup: Lookup;
  readonly operations: ReadonlyMap<string, PlacedOperation>;
}

/** The bodies that clients and the server send; the server calls webhooks. */
export function bodiesOf({ operation, isWebhook }: PlacedOperation): Readonly<Record<Sender, unknown>> {
  const [called, answered] = [operation.requestBody, operation.responses];
  return isWebhook ? { client: answered, server: called } : { client: called, server: answered };
}

interface Compared {
  readonly operations: Pair<PlacedOperation>;
  readonly caller: Sender;
  readonly answerer: Sender;
  readonly add: (rule: RuleName, within: string, values?: Values) => void;
  readonly at: (within: string) => Place;
}

export class OperationComparison {
  readonly #documents: Pair<OpenDocument>;
  readonly #schemas: SchemaComparison;
  readonly #changes: ChangeCollector;

  constructor(documents: Pair<OpenDocument>, schemas: SchemaComparison, changes: ChangeCollector) {
    this.#documents = documents;
    this.#schemas = schemas;
    this.#changes = changes;
  }

  compare(operations: Pair<PlacedOperation>): void {
    const { method, path, isWebhook } = operations.after;
    const [caller, answerer] = isWebhook ? (["server", "client"] as const) : (["client", "server"] as const);
    const at = (within: string): Place => ({ operation: { method, path }, model: null, within });
    const add: Compared["add"] = (rule, within, values) => this.#changes.add(rule, at(within), [caller], values);
    const compared = { operations, caller, answerer, add, at };
    const [was, is] = [operations.before.operation, operations.after.operation];
    if (was.deprecated !== true && is.deprecated === true) add("operation_deprecated", "");
    if (was.deprecated === true && is.deprecated !== true) add("operation_no_longer_deprecated", "");
    if (was.operationId !== is.operationId)
      add("operation_id_changed", "", { before: was.operationId, after: is.operationId });
    this.#compareParameters(compared);
    this.#compareRequest(compared);
    this.#compareResponses(compared);
    this.#compareSecurity(compared);
  }

  get #lookups(): Pair<Lookup> {
    return { before: this.#documents.before.lookup, after: this.#documents.after.lookup };
  }

  #compareParameters({ operations, caller, add, at }: Compared): void {
    const old = parametersByKey(this.#lookups.before, operations.before);
    const young = parametersByKey(this.#lookups.after, operations.after);
    for (const [key, is] of young) {
      const was = old.get(key);
      const within = `${is.in} parameter ${is.name}`;
      if (!was) {
        add(is.required === true ? "required_parameter_added" : "parameter_added", within);
        continue;
      }
      const change = requirementChange(was, is);
      if (change) add(`parameter_${change}`, within);
      if (was.deprecated !== true && is.deprecated === true) add("parameter_deprecated", within);
      const values = { before: styleOf(was), after: styleOf(is) };
      if (values.before !== values.after) add("parameter_written_otherwise", within, values);
      this.#schemas.compare({ before: schemaOf(was), after: schemaOf(is) }, at(`${within}, `), [caller]);
    }
    for (const [key, { in: place, name }] of old)
      if (!young.has(key)) add("parameter_removed", `${place} parameter ${name}`);
  }

  #compareRequest({ operations, caller, add, at }: Compared): void {
    const [was, is] = [operations.before.operation.requestBody, operations.after.operation.requestBody];
    const before = was && this.#lookups.before.follow<RequestBody>(was);
    const after = is && this.#lookups.after.follow<RequestBody>(is);
    const within = "request body";
    if (!before && after) add(after.required === true ? "required_body_added" : "body_added", within);
    if (before && !after) add("body_removed", within);
    if (!before || !after) return;
    const change = requirementChange(before, after);
    if (change) add(`body_${change}`, within);
    this.#compareContent({ before: before.content, after: after.content }, at(within), caller);
  }

  #compareResponses({ operations, answerer, add, at }: Compared): void {
    const old = new Map(entriesOf(operations.before.operation.responses));
    for (const [status, given] of entriesOf(operations.after.operation.responses)) {
      const within = `response ${status}`;
      if (!old.has(status)) add("response_added", within);
      else {
        // The document is valid.
        const before = this.#lookups.before.follow(old.get(status) as OrReference<SpecResponse>);
        const after = this.#lookups.after.follow(given as OrReference<SpecResponse>);
        this.#compareContent({ before: before.content, after: after.content }, at(within), answerer);
        this.#compareHeaders({ before: before.headers, after: after.headers }, at(within), answerer);
      }
      old.delete(status);
    }
    for (const status of old.keys())
      add(status.startsWith("2") ? "success_removed" : "response_removed", `response ${status}`);
  }

  #compareContent({ before, after }: Pair<unknown>, place: Place, sender: Sender): void {
    const old = new Map(entriesOf(before));
    const add = (rule: RuleName, type: string) => this.#changes.add(rule, below(place, type), [sender]);
    for (const [type, media] of entriesOf(after)) {
      const was = old.get(type);
      if (was === undefined) add("media_type_added", type);
      else
        this.#schemas.compare(
          { before: (was as MediaType).schema, after: (media as MediaType).schema },
          below(place, `${type}, `),
          [sender],
        );
      old.delete(type);
    }
    for (const type of old.keys()) add("media_type_removed", type);
  }

  #compareHeaders({ before, after }: Pair<unknown>, place: Place, sender: Sender): void {
    const [old, young] = [headersByName(before, this.#lookups.before), headersByName(after, this.#lookups.after)];
    const add = (rule: RuleName, name: string) => this.#changes.add(rule, below(place, `header ${name}`), [sender]);
    for (const [key, { name, header: is }] of young) {
      const was = old.get(key)?.header;
      if (!was) add("header_added", name);
      else {
        const change = requirementChange(was, is);
        if (change) add(`header_${change}`, name);
        const schemas = { before: schemaOf(was), after: schemaOf(is) };
        this.#schemas.compare(schemas, below(place, `header ${name}, `), [sender]);
      }
    }
    for (const [key, { name }] of old) if (!young.has(key)) add("header_removed", name);
  }

  #compareSecurity({ operations, add }: Compared): void {
    const old = waysOf(securityOf(this.#documents.before.document, operations.before));
    const young = waysOf(securityOf(this.#documents.after.document, operations.after));
    const [wasOpen, isOpen] = [old, young].map((ways) => ways.size === 0 || ways.has(""));
    if (wasOpen && !isOpen) return add("authorization_needed", "", { after: [...young.keys()].join(" or ") });
    if (!wasOpen && isOpen) return add("authorization_dropped", "", { before: [...old.keys()].join(" or ") });
    if (isOpen) return;
    for (const [way, scopes] of young) {
      const was = old.get(way);
      if (!was) add("authorization_added", way);
      for (const scope of was ? without(scopes, was) : []) add("scope_added", way, { after: scope });
      for (const scope of was ? without(was, scopes) : []) add("scope_removed", way, { before: scope });
    }
    for (const way of old.keys()) if (!young.has(way)) add("authorization_removed", way);
  }
}

function requirementChange(was: { required?: boolean }, is: { required?: boolean }): "required" | "optional" | null {
  if ((was.required === true) === (is.required === true)) return null;
  return is.required === true ? "required" : "optional";
}

/** Parameters in the path by their position there, others by name. */
function parametersByKey(lookup: Lookup, placed: PlacedOperation): ReadonlyMap<string, Parameter> {
  const inPath = Array.from(placed.path.matchAll(/\{([^{}]*)\}/g), ([, name]) => name);
  const keyOf = ({ in: place, name }: Parameter) => {
    const known = place === "header" ? name.toLowerCase() : name;
    return place === "path" && inPath.includes(name) ? `path ${inPath.indexOf(name)}` : `${place} ${known}`;
  };
  return new Map(parametersOf(lookup, placed).map((one) => [keyOf(one), one]));
}

function schemaOf({ schema, content }: Header): unknown {
  const [[, media] = []] = entriesOf(content);
  return schema ?? (media as MediaType | undefined)?.schema;
}

/** The style of a parameter, with the defaults of OpenAPI. */
function styleOf({
  in: place,
  style = place === "path" || place === "header" ? "simple" : "form",
  explode,
}: Parameter) {
  return `${style}${(explode ?? style === "form") ? ", exploded" : ""}`;
}

/** Alternatives to authorize: the names of their schemes, with all scopes. */
function waysOf(security: readonly SecurityRequirement[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    security.map((way) => {
      const entries = Object.entries(way);
      const names = entries.map(([name]) => name).toSorted();
      return [names.join(" and "), new Set(entries.flatMap(([, scopes]) => scopes))];
    }),
  );
}

const headersByName = (headers: unknown, lookup: Lookup) =>
  new Map(
    entriesOf(headers).map(([name, header]) => {
      const found = lookup.follow(header as OrReference<Header>); // the document is valid
      return [name.toLowerCase(), { name, header: found }] as const;
    }),
  );

const below = (place: Place, name: string): Place => ({
  ...place,
  within: place.within === "" ? name : `${place.within}, ${name}`,
});
