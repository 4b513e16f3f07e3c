// The variables of the environment that set the limits of callers.
import { z } from "zod";
import { cacheMegabytes, operationLimits, quotas, trafficLimits } from "#src/base/limits.ts";
import { variable } from "#src/config/variable.ts";

/** A whole number from 1 on, or from `least`. */
function whole(fallback: number, about: string, least = 1) {
  const schema = z.coerce.number().int().min(least).max(Number.MAX_SAFE_INTEGER);
  return variable({ schema, fallback: String(fallback), about, wants: `a whole number from ${least} on` });
}

export const limitVariables = {
  CACHE_MB: whole(cacheMegabytes, "How many megabytes of memory the caches may take together, more or less."),
  MAX_DOCUMENT_BYTES: whole(operationLimits.documentBytes, "The most bytes of a GraphQL document."),
  MAX_DOCUMENT_TOKENS: whole(operationLimits.tokens, "The most tokens of a GraphQL document."),
  MAX_NESTING: whole(operationLimits.levels, "How many selections may be inside one another, fragments written out."),
  MAX_ESTIMATE: whole(operationLimits.estimate, "The most points that an operation may cost by its estimate."),
  MAX_VALUES: whole(operationLimits.values, "The most values of an answer: rows times the fields selected of them."),
  MAX_ANSWER_BYTES: whole(operationLimits.answerBytes, "The most bytes of an answer."),
  OPERATIONS_PER_USER: whole(trafficLimits.atOncePerUser, "How many operations of one user run at a time."),
  OPERATIONS_AT_ONCE: whole(trafficLimits.atOnce, "How many operations run at a time in all; others wait."),
  OPERATIONS_WAITING: whole(
    trafficLimits.waitingPerUser,
    "How many operations of one user may wait; further ones are answered 429.",
    0,
  ),
  WORK_WAITING: whole(
    trafficLimits.workWaitingPerUser,
    "How many texts, images and files of one user may wait to be read or converted in threads, of each kind.",
    0,
  ),
  POINTS_PER_MINUTE: whole(trafficLimits.pointsPerMinute, "How many points the operations of one user cost a minute."),
  INSTALLATION_POINTS: whole(
    trafficLimits.installations.points,
    "How many points the script of an installation may cost a minute.",
  ),
  INSTALLATION_FETCHES: whole(
    trafficLimits.installations.fetches,
    "How many requests to other servers an installation may make a minute.",
  ),
  INSTALLATION_REQUESTS: whole(
    trafficLimits.installations.requests,
    "How many requests a minute the public endpoint of an installation takes.",
  ),
  CLIENT_REQUESTS: whole(
    trafficLimits.installations.requestsOfClient,
    "How many requests a minute one client may make to public endpoints; an IPv6 address counts by its /64.",
  ),
  SAML_ANSWERS_PER_MINUTE: whole(
    trafficLimits.samlAnswersPerMinute,
    "How many answers of a SAML provider one address may bring in a minute; an IPv6 address counts by its /64.",
  ),
  TOKENS_PER_USER: whole(quotas.tokensPerUser, "How many good API tokens a user may have, and an organization."),
  SPACES_PER_ORGANIZATION: whole(quotas.spaces, "How many spaces an organization may have."),
  ORGANIZATIONS_PER_USER: whole(quotas.organizations, "How many organizations a user may create."),
  INVITES_PER_ORGANIZATION: whole(quotas.invitations, "How many open invitations an organization may have."),
  EMAILS_PER_USER: whole(quotas.invitationEmailsPerDay, "How many invitations a user may send by e-mail in 24 hours."),
  EMAILS_PER_ORGANIZATION: whole(
    quotas.invitationEmailsOfOrganizationPerDay,
    "How many invitations all users and tokens of an organization may send by e-mail in 24 hours.",
  ),
  FILE_BYTES_PER_SPACE: whole(quotas.fileBytes, "How many bytes the files of a space may have together."),
  IMPORTS_PER_DAY: whole(quotas.importsPerDay, "How many imports a user may begin in 24 hours."),
  IMPORT_BYTES: whole(quotas.ofImport.bytes, "How many bytes one import may fetch and unpack."),
  IMPORT_FILES: whole(quotas.ofImport.files, "How many files one import may have."),
  IMPORT_PAGES: whole(quotas.ofImport.pages, "How many pages one import may have."),
  IMPORT_SECONDS: whole(quotas.ofImport.seconds, "For how many seconds threads may read what one import has."),
};
