// The variables of the environment that set the limits of callers.
import { cacheMegabytes, operationLimits, quotas, trafficLimits } from "#src/base/limits.ts";
import { whole } from "#src/config/variable.ts";

const limit = (fallback: number, about: string, least = 1) => whole({ fallback: String(fallback), about, least });

export const limitVariables = {
  CACHE_MB: limit(cacheMegabytes, "How many megabytes of memory the caches may take together, more or less."),
  MAX_DOCUMENT_BYTES: limit(operationLimits.documentBytes, "The most bytes of a GraphQL document."),
  MAX_DOCUMENT_TOKENS: limit(operationLimits.tokens, "The most tokens of a GraphQL document."),
  MAX_NESTING: limit(operationLimits.levels, "How many selections may be inside one another, fragments written out."),
  MAX_ESTIMATE: limit(operationLimits.estimate, "The most points that an operation may cost by its estimate."),
  MAX_VALUES: limit(operationLimits.values, "The most values of an answer: rows times the fields selected of them."),
  MAX_ANSWER_BYTES: limit(operationLimits.answerBytes, "The most bytes of an answer."),
  OPERATIONS_PER_USER: limit(trafficLimits.atOncePerUser, "How many operations of one user run at a time."),
  OPERATIONS_AT_ONCE: limit(trafficLimits.atOnce, "How many operations run at a time in all; others wait."),
  OPERATIONS_WAITING: limit(
    trafficLimits.waitingPerUser,
    "How many operations of one user may wait; further ones are answered 429.",
    0,
  ),
  WORK_WAITING: limit(
    trafficLimits.workWaitingPerUser,
    "How many texts, images and files of one user may wait to be read or converted in threads, of each kind.",
    0,
  ),
  POINTS_PER_MINUTE: limit(trafficLimits.pointsPerMinute, "How many points the operations of one user cost a minute."),
  INSTALLATION_POINTS: limit(
    trafficLimits.installations.points,
    "How many points the script of an installation may cost a minute.",
  ),
  INSTALLATION_FETCHES: limit(
    trafficLimits.installations.fetches,
    "How many requests to other servers an installation may make a minute.",
  ),
  INSTALLATION_REQUESTS: limit(
    trafficLimits.installations.requests,
    "How many requests a minute the public endpoint of an installation takes.",
  ),
  CLIENT_REQUESTS: limit(
    trafficLimits.installations.requestsOfClient,
    "How many requests a minute one client may make to public endpoints; an IPv6 address counts by its /64.",
  ),
  SAML_ANSWERS_PER_MINUTE: limit(
    trafficLimits.samlAnswersPerMinute,
    "How many answers of a SAML provider one address may bring in a minute; an IPv6 address counts by its /64.",
  ),
  TOKENS_PER_USER: limit(quotas.tokensPerUser, "How many good API tokens a user may have, and an organization."),
  SPACES_PER_ORGANIZATION: limit(quotas.spaces, "How many spaces an organization may have."),
  ORGANIZATIONS_PER_USER: limit(quotas.organizations, "How many organizations a user may create."),
  INVITES_PER_ORGANIZATION: limit(quotas.invitations, "How many open invitations an organization may have."),
  EMAILS_PER_USER: limit(quotas.invitationEmailsPerDay, "How many invitations a user may send by e-mail in 24 hours."),
  EMAILS_PER_ORGANIZATION: limit(
    quotas.invitationEmailsOfOrganizationPerDay,
    "How many invitations all users and tokens of an organization may send by e-mail in 24 hours.",
  ),
  FILE_BYTES_PER_SPACE: limit(quotas.fileBytes, "How many bytes the files of a space may have together."),
  IMPORTS_PER_DAY: limit(quotas.importsPerDay, "How many imports a user may begin in 24 hours."),
  IMPORT_BYTES: limit(quotas.ofImport.bytes, "How many bytes one import may fetch and unpack."),
  IMPORT_FILES: limit(quotas.ofImport.files, "How many files one import may have."),
  IMPORT_PAGES: limit(quotas.ofImport.pages, "How many pages one import may have."),
  IMPORT_SECONDS: limit(quotas.ofImport.seconds, "For how many seconds threads may read what one import has."),
};
