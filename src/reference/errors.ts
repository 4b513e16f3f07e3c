// The reference of error codes.
import { errorCodes, requestCodes } from "#src/base/errors.ts";
import type { Reference, ReferenceRow } from "#src/reference/reference.ts";

interface Code {
  readonly status: number;
  readonly message: string;
  readonly remedy: string;
}

const columns = ["Code", "Title", "Status", "Meaning", "What to do"];

/** The words of a code, such as `Invalid input`. */
const titleOf = (code: string): string =>
  (code.charAt(0) + code.slice(1).toLowerCase().replaceAll("_", " ")).replace(/\bgraphql\b/i, "GraphQL");

const rowsOf = (codes: Readonly<Record<string, Code>>): ReferenceRow[] =>
  Object.entries(codes).map(([code, { status, message, remedy }]) => ({
    id: code,
    cells: [`\`${code}\``, titleOf(code), String(status), message, remedy],
  }));

export const errorsReference: Reference = {
  path: "/reference/errors",
  title: "Errors",
  about: "Every error code, its status, its meaning and what to do.",
  introduction:
    "Every refusal has a code that does not change: `extensions.code` in GraphQL over HTTP, WebSocket and server-sent events, and `error.type` in [/v1](/reference/rest), where `error.code` repeats the status. Messages are for people and may change.",
  tables: () => [
    { id: "codes", title: "Everywhere", columns, rows: rowsOf(errorCodes) },
    {
      id: "requests",
      title: "GraphQL requests, before they run",
      introduction:
        "The status is that of `application/graphql-response+json`. Answers as `application/json`, which older clients ask for, have the status 200, except for requests that are refused as HTTP.",
      columns,
      rows: rowsOf(requestCodes),
    },
  ],
};
