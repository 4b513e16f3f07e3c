// The shape of one row of the route table, and of what a feature hands to the registry.
import type { Job } from "#src/jobs/job.ts";

/**
 * One documented operation of /v1: a GraphQL document, and where its variables and the answer come from.
 *
 * Path parameters fill the variables of the same name, query parameters and body properties those named in `query` and `body`, each
 * read by the GraphQL type of its variable (enumerations take REST values, lists are repeated). Response names of the document are the REST field names (aliases rename).
 */
export interface Route {
  /** The operation's name in the contract, such as `listSpaceComments`; the document's operation has it in PascalCase. */
  readonly operationId: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path of the contract, such as `/v1/spaces/{spaceId}`. */
  readonly path: string;
  readonly summary: string;
  /** Query parameters beside `page` and `limit`: name (also of the variable) to description. */
  readonly query?: Readonly<Record<string, string>>;
  /** Boolean query parameters of the contract, true when left out, that make no difference to this answer: name to description. They are read and checked. */
  readonly idle?: Readonly<Record<string, string>>;
  /** Query parameters that choose between two parts of the answer, by name. */
  readonly choices?: Readonly<Record<string, Choice>>;
  /**
   * Properties of the JSON body: name (also of the variable) to description, read by the variable's type as query parameters are; objects
   * and lists go to input types of the same form. A property that is absent leaves its variable absent; unknown ones are refused.
   * `key` reads a JSON object as a list of input objects, whose field `key` takes the property's name; `notNull` refuses a null that
   * means something in GraphQL and nothing in the contract.
   */
  readonly body?: Readonly<Record<string, string | BodyProperty>>;
  readonly document: string;
  /**
   * The status of success, 200 when left out. 204 answers no body, whatever stands at `answer`. `deleted` takes a boolean at `answer`:
   * true answers 205, false (there was nothing to delete) 204.
   */
  readonly success?: 201 | 204 | "deleted";
  /** Response names from `data` down to the resource or connection; null on the way is 404. */
  readonly answer: readonly string[];
  /** A list: `page` and `limit` fill `$after` and `$first`, and the connection at `answer` becomes the list envelope. */
  readonly list?: boolean;
  /** What is missing when `answer` leads to null, for the message of the 404. */
  readonly noun: string;
}

/** A query parameter whose two values stand for a Boolean variable, which takes parts of the document in and out by `@include` and `@skip`. */
export interface Choice {
  readonly description: string;
  readonly variable: string;
  /** What stands for false, and what for true. The variable's default is that of the parameter. */
  readonly values: readonly [no: string, yes: string];
}

/** A property of a body of which there is more to say than its description. */
export interface BodyProperty {
  readonly description: string;
  readonly key?: string;
  readonly notNull?: boolean;
}

/** What a feature hands to the registry. */
export interface Feature {
  readonly name: string;
  readonly routes: readonly Route[];
  /** What is done by the clock and not by a request. */
  readonly jobs?: readonly Job[];
}
