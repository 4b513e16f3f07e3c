// Routes: the operations of /v1, declared in the `routes.ts` of features and listed in their registry record.
import type { JsonForm } from "#src/rest/request/property-forms.ts";
import { inColumns } from "#src/base/text/forms.ts";

/**
 * One documented operation of /v1: a GraphQL operation, and the sources of its variables and response.
 *
 * Path parameters, query parameters and body properties fill the arguments of their names on the path of the response,
 * the fields of `input`: `parent` and `parentId` are the same name, and `spaceId` is the `id` of a `space`. Each is
 * read by its GraphQL type: enumerations take REST values, lists are repeated parameters. The response names of the
 * operation are the REST field names, so that an alias renames a field.
 */
export interface RouteRow {
  /** The method and path of the contract, such as `GET /v1/spaces/{spaceId}`. */
  readonly request: `${Method} /v1/${string}`;
  readonly summary: string;
  /** A list: `page` and `limit` fill `$after` and `$first`, and a page of the connection at `answer` is returned. */
  readonly list?: true;
  /** The properties of a list besides its items, of the connection: name to its selection. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Query parameters besides `page` and `limit`: name (also of the variable) to description. */
  readonly query?: Readonly<Record<string, string>>;
  /** Query parameters that choose between two parts of the response, by name. */
  readonly choices?: Readonly<Record<string, Choice>>;
  /** Boolean query parameters of the contract that are validated, but have no effect: name to description. */
  readonly ignored?: Readonly<Record<string, string>>;
  /** Properties of the JSON body by name (and variable); an absent one stays absent, an unknown one is rejected. */
  readonly body?: Readonly<Record<string, string | BodyProperty>>;
  /** The most bytes of the body, if more than the default. */
  readonly bodyLimit?: number;
  /**
   * The status of success, if not the default one. By default a DELETE returns 205, or 204 if there was nothing to
   * delete, by the id at `answer`, which is null then; every other method returns 200. A 204 has no body,
   * whatever is at `answer`.
   */
  readonly success?: 201 | 204;
  /** Set for an operation whose response has no body, whatever is at `answer`. */
  readonly withoutBody?: true;
  /** Response names from `data` down to the resource or connection. A null on the path is a 404. */
  readonly answer: readonly string[];
  /** The selection of the response, or of each item of a list: fields, with fragments in them, or one fragment. */
  readonly fields?: string;
  /** Declarations of the variables that only `fields` and `given` use; choices declare theirs. */
  readonly variables?: readonly string[];
  /** The source of an argument or input field with another name: `replyId: "commentReplyId"`. */
  readonly named?: Readonly<Record<string, string>>;
  /** Arguments and input fields that are filled by GraphQL values over `variables`, by their names. */
  readonly given?: Readonly<Record<string, string>>;
  /** Defaults of query parameters that differ from those of the arguments, in GraphQL. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly conflict?: string;
  readonly tooLarge?: string;
  /** The whole operation with its variables, if it cannot be generated from `answer`. */
  readonly document?: string;
  /** Set for an operation without an API token: all its fields are open to visitors. */
  readonly openToVisitors?: true;
  /** Set if it returns published content: caches may store its public part. */
  readonly readsPublished?: true;
  /** Set for an operation that is not part of the documented contract. */
  readonly isAddition?: true;
  /** Set for an operation that will be removed. */
  readonly deprecated?: Deprecation;
}

/** The deprecation of an operation, which its responses state (RFC 9745). */
interface Deprecation {
  readonly since: `${number}-${number}-${number}`;
  /** The path of the operation that replaces it, with the same path parameters. */
  readonly successor: `/v1/${string}`;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A query parameter whose two values map to a Boolean variable, for `@include` and `@skip` in the document. */
export interface Choice {
  readonly description: string;
  readonly variable: string;
  /** The value for false, which is the default, and the value for true. */
  readonly values: readonly [no: string, yes: string];
}

/** A property of a body with more options than its description. */
export interface BodyProperty {
  readonly description: string;
  /** Reads a JSON object as a list of input objects, whose field of this name receives the name of the property. */
  readonly key?: string;
  /** Required, though GraphQL accepts another field in its place. */
  readonly required?: true;
  /** Rejects a null that has a meaning in GraphQL and none in the contract. */
  readonly notNull?: true;
  /** Null has a meaning, such as the top level of an organization; the description says so. */
  readonly mayBeNull?: true;
  /** The properties of an object, by the fields of the input type that they fill, if these have other names. */
  readonly names?: Readonly<Record<string, string>>;
  /** An empty object counts as omitted. */
  readonly mayBeEmpty?: true;
  /** Its form, if it differs from its input type. */
  readonly form?: JsonForm;
}

export interface Route extends Omit<RouteRow, "request" | "success"> {
  /** The name of the operation in the contract, such as `listTeams`. */
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly success: 200 | 201 | 204 | "deleted";
  readonly tag: Tag;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** The routes of declarations by the names of their operations in the contract, with their tags by path. */
export function defineRoutes(tagOf: (path: string) => Tag, rows: Readonly<Record<string, RouteRow>>): Route[] {
  return Object.entries(rows).map(([operationId, { request, ...row }]) => {
    const [method, path] = request.split(" ") as [Method, string]; // by the type of `request`
    const tag = tagOf(path);
    return { ...row, tag, operationId, method, path, success: row.success ?? (method === "DELETE" ? "deleted" : 200) };
  });
}

/** Routes beyond the documented contract, in the shapes of the public client's own description. */
export const defineAdditions = (...declaration: Parameters<typeof defineRoutes>): Route[] =>
  defineRoutes(...declaration).map((route) => ({ ...route, isAddition: true }));

/** The resource that a route is below. Routes below several are made by functions: `listSpaceComments: list(space)`. */
export interface Parent {
  /** Its noun, for sentences: `change request`. */
  readonly noun: string;
  /** Its path, such as `/v1/spaces/{spaceId}/change-requests/{changeRequestId}`. */
  readonly path: `/v1/${string}`;
  /** Response names from `data` down to it: `["space", "changeRequest"]`. */
  readonly answer: readonly string[];
}

/** The parent at a path whose parameters are ids: `{teamId}` is the argument `id` of the field `team`. */
export const parentAt = (noun: string, path: Parent["path"]): Parent => ({
  noun,
  path,
  answer: [...path.matchAll(/\{(\w+)Id\}/g)].map(([, name = ""]) => name),
});

/** A line for each route, by path: method, path, operation, query parameters, body in braces, status other than 200. */
export function routeTable(routes: readonly Route[]): string {
  const rows = routes
    .toSorted((one, other) => compare(one.path, other.path) || compare(one.method, other.method))
    .map((route) => [route.method, route.path, route.operationId, traitsOf(route)] as const);
  return `${inColumns(rows)}\n${rows.length} operations have a route.\n`;
}

/** The names of the query parameters of a route. */
export function queryNames(route: Route): string[] {
  return [
    ...(route.list ? ["page", "limit"] : []),
    ...Object.keys({ ...route.query, ...route.choices, ...route.ignored }),
  ];
}

function traitsOf(route: Route): string {
  const body = route.body ? [`{ ${Object.keys(route.body).join(" ")} }`] : [];
  const status = route.success === 200 ? [] : [route.success === "deleted" ? "205/204" : String(route.success)];
  return [...queryNames(route), ...body, ...status].join(" ");
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
