// The environment variables that set the limits of callers.
import { cacheMegabytes, operationLimits, quotas, trafficLimits } from "#src/base/limits.ts";
import { whole } from "#src/config/variable.ts";

const limit = (fallback: number, about: string, least = 1) => whole({ fallback: String(fallback), about, least });

export const limitVariables = {
  CACHE_MB: limit(cacheMegabytes, "The memory that all caches may use together, in megabytes (approximate)."),
  MAX_DOCUMENT_BYTES: limit(operationLimits.documentBytes, "The maximum size of a GraphQL document, in bytes."),
  MAX_DOCUMENT_TOKENS: limit(operationLimits.tokens, "The maximum number of tokens in a GraphQL document."),
  MAX_NESTING: limit(
    operationLimits.levels,
    "The maximum nesting of selections in a document, with fragments expanded.",
  ),
  MAX_ESTIMATE: limit(operationLimits.estimate, "The maximum estimated cost of an operation, in points."),
  MAX_VALUES: limit(
    operationLimits.values,
    "The maximum number of values in a response: rows times the fields selected of them.",
  ),
  MAX_ANSWER_BYTES: limit(operationLimits.answerBytes, "The maximum size of a response, in bytes."),
  OPERATIONS_PER_USER: limit(trafficLimits.atOncePerUser, "How many operations of one user may run concurrently."),
  OPERATIONS_AT_ONCE: limit(trafficLimits.atOnce, "How many operations may run concurrently in all; others wait."),
  OPERATIONS_WAITING: limit(
    trafficLimits.waitingPerUser,
    "How many operations of one user may wait; further ones are rejected with 429.",
    0,
  ),
  WORK_WAITING: limit(
    trafficLimits.workWaitingPerUser,
    "How many texts, images and files of one user may wait for worker threads, of each kind.",
    0,
  ),
  POINTS_PER_MINUTE: limit(
    trafficLimits.pointsPerMinute,
    "How many points the operations of one user may cost per minute.",
  ),
  INSTALLATION_POINTS: limit(
    trafficLimits.installations.points,
    "How many points the script of an installation may cost per minute.",
  ),
  INSTALLATION_FETCHES: limit(
    trafficLimits.installations.fetches,
    "How many requests to other servers an installation may make per minute.",
  ),
  INSTALLATION_REQUESTS: limit(
    trafficLimits.installations.requests,
    "How many requests per minute the public endpoint of an installation accepts.",
  ),
  CLIENT_REQUESTS: limit(
    trafficLimits.installations.requestsOfClient,
    "How many requests per minute one client may make to public endpoints; an IPv6 address counts by its /64.",
  ),
  SAML_ANSWERS_PER_MINUTE: limit(
    trafficLimits.samlAnswersPerMinute,
    "How many responses of one SAML or OpenID provider one client address may submit per minute; an IPv6 address counts by its /64.",
  ),
  TOKENS_PER_USER: limit(
    quotas.tokensPerUser,
    "How many valid API tokens a user may have, and how many an organization may have.",
  ),
  SPACES_PER_ORGANIZATION: limit(quotas.spaces, "How many spaces an organization may have."),
  ORGANIZATIONS_PER_USER: limit(quotas.organizations, "How many organizations a user may create."),
  INVITES_PER_ORGANIZATION: limit(quotas.invitations, "How many open invitations an organization may have."),
  EMAILS_PER_USER: limit(quotas.invitationEmailsPerDay, "How many invitations a user may send by e-mail in 24 hours."),
  EMAILS_PER_ORGANIZATION: limit(
    quotas.invitationEmailsOfOrganizationPerDay,
    "How many invitations all users and tokens of an organization may send by e-mail in 24 hours.",
  ),
  FILE_BYTES_PER_SPACE: limit(quotas.fileBytes, "The maximum total size of the files of a space, in bytes."),
  IMPORTS_PER_DAY: limit(quotas.importsPerDay, "How many imports a user may start in 24 hours."),
  IMPORT_BYTES: limit(quotas.ofImport.bytes, "How many bytes one import may fetch and unpack."),
  IMPORT_FILES: limit(quotas.ofImport.files, "The maximum number of files in one import."),
  IMPORT_PAGES: limit(quotas.ofImport.pages, "The maximum number of pages in one import."),
  IMPORT_SECONDS: limit(quotas.ofImport.seconds, "How many seconds of worker threads one import may use."),
};
