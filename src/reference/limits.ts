// The reference of limits: the settings that limit callers, with the error beyond each.
import { inFigures } from "#src/base/limits.ts";
import { type ErrorCode, errorCodes, type RequestCode, requestCodes } from "#src/base/errors.ts";
import type { Variable } from "#src/config/variable.ts";
import { variables } from "#src/config/variables.ts";
import type { Reference, ReferenceTable } from "#src/reference/reference.ts";

/** The code of the error beyond a limit, or a sentence about what happens there. */
type Beyond = ErrorCode | RequestCode | { readonly says: string };

type Limits = { readonly [Name in keyof typeof variables]?: Beyond };

const waits: Beyond = { says: "The operation waits, for at most 5 seconds." };

const groups: readonly { readonly id: string; readonly title: string; readonly limits: Limits }[] = [
  {
    id: "operation",
    title: "One operation",
    limits: {
      MAX_DOCUMENT_BYTES: "GRAPHQL_PARSE_FAILED",
      MAX_DOCUMENT_TOKENS: "GRAPHQL_PARSE_FAILED",
      MAX_NESTING: "INVALID_INPUT",
      MAX_ESTIMATE: "INVALID_INPUT",
      MAX_VALUES: "INVALID_INPUT",
      MAX_ANSWER_BYTES: "INVALID_INPUT",
      REQUEST_TIMEOUT: "TIMEOUT",
      STATEMENT_TIMEOUT: "TIMEOUT",
      MAX_FILE_SIZE: "TOO_LARGE",
    },
  },
  {
    id: "traffic",
    title: "Operations at a time and in a minute",
    limits: {
      OPERATIONS_PER_USER: waits,
      OPERATIONS_AT_ONCE: waits,
      OPERATIONS_WAITING: "RATE_LIMITED",
      WORK_WAITING: "RATE_LIMITED",
      POINTS_PER_MINUTE: "RATE_LIMITED",
      SOCKETS_PER_TOKEN: "RATE_LIMITED",
      SAML_ANSWERS_PER_MINUTE: "RATE_LIMITED",
    },
  },
  {
    id: "integrations",
    title: "Integrations, in a minute",
    limits: {
      INSTALLATION_POINTS: "RATE_LIMITED",
      INSTALLATION_FETCHES: "RATE_LIMITED",
      INSTALLATION_REQUESTS: "RATE_LIMITED",
      CLIENT_REQUESTS: "RATE_LIMITED",
    },
  },
  {
    id: "quotas",
    title: "Objects and files",
    limits: {
      TOKENS_PER_USER: "CONFLICT",
      SPACES_PER_ORGANIZATION: "CONFLICT",
      ORGANIZATIONS_PER_USER: "CONFLICT",
      INVITES_PER_ORGANIZATION: "CONFLICT",
      EMAILS_PER_USER: "RATE_LIMITED",
      EMAILS_PER_ORGANIZATION: "RATE_LIMITED",
      FILE_BYTES_PER_SPACE: "STORAGE_FULL",
      IMPORTS_PER_DAY: "RATE_LIMITED",
      TRANSLATION_WORDS: { says: "The translation stops until the next month." },
    },
  },
  {
    id: "import",
    title: "One import",
    limits: {
      IMPORT_BYTES: "TOO_LARGE",
      IMPORT_FILES: "TOO_LARGE",
      IMPORT_PAGES: "TOO_LARGE",
      IMPORT_SECONDS: "TOO_LARGE",
    },
  },
  {
    id: "gateway",
    title: "One gateway",
    limits: {
      CACHE_MB: { says: "The caches drop the entries that they have not used for the longest time." },
      POOL_SIZE: { says: "Statements wait for a connection." },
    },
  },
];

const allCodes = { ...errorCodes, ...requestCodes };

const consequenceOf = (beyond: Beyond): string =>
  typeof beyond === "object" ? beyond.says : `\`${beyond}\`, ${allCodes[beyond].status}`;

export const limitsReference: Reference = {
  path: "/reference/limits",
  title: "Limits",
  about: "Every limit of a caller, its default, and the error beyond it.",
  introduction:
    "Each limit is a [setting](/reference/settings). The error beyond a limit names the limit, its value and yours. GraphQL and `/v1` have the same code and status; a `RATE_LIMITED` answer has the header `Retry-After`.",
  tables: () => groups.map(tableOf),
};

function tableOf({ id, title, limits }: (typeof groups)[number]): ReferenceTable {
  const rows = Object.entries<Beyond>(limits).map(([name, beyond]) => {
    const { about, fallback = "" }: Variable = variables[name as keyof typeof variables]; // the keys are its names
    return { id: name, cells: [`\`${name}\``, about, inFigures(Number(fallback)), consequenceOf(beyond)] };
  });
  return { id, title, columns: ["Setting", "Limit", "Default", "Beyond it"], rows };
}
