// Default limits per caller. No normal frontend reaches them; all are settings (limit-variables.ts).

/** Limits of one document and of one operation. */
export const operationLimits = {
  documentBytes: 100_000,
  tokens: 10_000,
  levels: 50, // selections inside selections, fragments written out
  estimate: 500_000_000, // points of an operation (estimate.ts)
  values: 2_000_000, // per response: rows times the fields selected of them
  answerBytes: 64_000_000,
};
export type OperationLimits = Readonly<typeof operationLimits>;

/** Limits of one user, concurrently and per minute, and of all users together. */
export const trafficLimits = {
  atOncePerUser: 4, // running operations
  atOnce: 32,
  waitingPerUser: 200, // operations waiting for others to end
  workWaitingPerUser: 200, // tasks waiting for the threads of one kind: texts, images, files
  pointsPerMinute: 60_000_000, // of the operations of one user
  /** Per minute and installation; `requests` go to its public endpoint, `requestsOfClient` to those of any. */
  installations: { points: 3_000_000, fetches: 300, requests: 600, requestsOfClient: 60 },
  samlAnswersPerMinute: 20, // messages of one client to one provider (SAML, OpenID): sign-ins, and as many of logout
};
export type TrafficLimits = Readonly<typeof trafficLimits>;

/** All installations of an organization together may use this many times the limit of one. */
export const installationsOfOrganization = 4;

export const quotas = {
  tokensPerUser: 100, // valid API tokens, and service tokens of an organization
  spaces: 10_000, // of an organization
  organizations: 20, // created by one user
  invitations: 1_000, // open ones of an organization
  invitationEmailsPerDay: 50, // of a user
  invitationEmailsOfOrganizationPerDay: 200, // of its users and tokens
  fileBytes: 10_000_000_000, // of the files of a space or change request
  importsPerDay: 500, // started by one user
  /** Bytes that one import fetches and unpacks, and seconds of threads for its texts and images. */
  ofImport: { bytes: 1_000_000_000, files: 50_000, pages: 20_000, seconds: 300 },
};
export type Quotas = Readonly<typeof quotas>;

/** A number for people: `2,000,000`. */
export const inFigures = (value: number): string => Math.ceil(value).toLocaleString("en");

/** The default memory of all caches, in megabytes. */
export const cacheMegabytes = 320;
