// The limits of what callers may ask for: their defaults, which no normal frontend meets. All of them are settings
// (limit-variables.ts).

/** Limits of one document and of one operation. */
export interface OperationLimits {
  /** Bytes of a document. */
  readonly documentBytes: number;
  /** Tokens of a document. */
  readonly tokens: number;
  /** Selections inside selections, fragments written out. */
  readonly levels: number;
  /** Points of the estimate of an operation (estimate.ts). */
  readonly estimate: number;
  /** Values of an answer: for each row the fields that are selected of it. */
  readonly values: number;
  /** Bytes of an answer. */
  readonly answerBytes: number;
}

/** Limits of what one user does at a time and in a minute, and of what all do at a time. */
export interface TrafficLimits {
  /** Operations of one user that run at a time. */
  readonly atOncePerUser: number;
  /** Operations that run at a time in all. */
  readonly atOnce: number;
  /** Operations of one user that wait for others to end. */
  readonly waitingPerUser: number;
  /** Pieces of work of one user that wait for the threads of one kind: texts to convert, images, files to read. */
  readonly workWaitingPerUser: number;
  /** Points that the operations of one user may cost in a minute. */
  readonly pointsPerMinute: number;
  /** Limits of installations of integrations, in a minute. Those of one organization have four times that together. */
  readonly installations: InstallationLimits;
  /** Messages of one client to one SAML provider in a minute: answers to sign-ins, and of logout as many again. */
  readonly samlAnswersPerMinute: number;
}

/** What one installation of an integration may do in a minute. */
interface InstallationLimits {
  /** Points that its script's calls of the gateway and its script's time on the processor may cost. */
  readonly points: number;
  /** Requests to other servers. */
  readonly fetches: number;
  /** Requests to its public endpoint. */
  readonly requests: number;
  /** Requests of one client to public endpoints of any installation. */
  readonly requestsOfClient: number;
}

/** How many times the limit of one installation all of one organization have together. */
export const installationsOfOrganization = 4;

/** Limits of what there may be. */
export interface Quotas {
  /** API tokens of a user that are good, and service tokens of an organization. */
  readonly tokensPerUser: number;
  /** Spaces of an organization. */
  readonly spaces: number;
  /** Organizations that a user has created. */
  readonly organizations: number;
  /** Invitations of an organization that can be accepted. */
  readonly invitations: number;
  /** Invitations that a user sends by e-mail in 24 hours. */
  readonly invitationEmailsPerDay: number;
  /** The same of all users and tokens of an organization together. */
  readonly invitationEmailsOfOrganizationPerDay: number;
  /** Bytes of the files of one content: of a space, or of a change request. */
  readonly fileBytes: number;
  /** Imports that a user begins in 24 hours. */
  readonly importsPerDay: number;
  /** Of one import. */
  readonly ofImport: {
    /** Bytes that are fetched and unpacked. */
    readonly bytes: number;
    readonly files: number;
    readonly pages: number;
    /** For which threads read its texts and images. */
    readonly seconds: number;
  };
}

export const operationLimits: OperationLimits = {
  documentBytes: 100_000,
  tokens: 10_000,
  levels: 50,
  estimate: 500_000_000,
  values: 2_000_000,
  answerBytes: 64_000_000,
};

export const trafficLimits: TrafficLimits = {
  atOncePerUser: 4,
  atOnce: 32,
  waitingPerUser: 200,
  workWaitingPerUser: 200,
  pointsPerMinute: 60_000_000,
  installations: { points: 3_000_000, fetches: 300, requests: 600, requestsOfClient: 60 },
  samlAnswersPerMinute: 20,
};

export const quotas: Quotas = {
  tokensPerUser: 100,
  spaces: 10_000,
  organizations: 20,
  invitations: 1_000,
  invitationEmailsPerDay: 50,
  invitationEmailsOfOrganizationPerDay: 200,
  fileBytes: 10_000_000_000,
  importsPerDay: 500,
  ofImport: { bytes: 1_000_000_000, files: 50_000, pages: 20_000, seconds: 300 },
};

/** A number for people, such as `2,000,000`. */
export const inFigures = (value: number): string => Math.ceil(value).toLocaleString("en");

/** The memory that all caches share by default, in megabytes. */
export const cacheMegabytes = 320;
