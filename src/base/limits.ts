// Default limits of callers, which no normal frontend meets; all are settings (limit-variables.ts).

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

/** Limits of what one user may do at once and in a minute, and of what all may do at once. */
export interface TrafficLimits {
  /** Operations of one user that run at a time. */
  readonly atOncePerUser: number;
  /** Operations that run at a time in all. */
  readonly atOnce: number;
  /** Operations of one user that wait for others to end. */
  readonly waitingPerUser: number;
  /** Tasks of one user that wait for the threads of one kind: texts, images, files. */
  readonly workWaitingPerUser: number;
  /** Points that the operations of one user may cost in a minute. */
  readonly pointsPerMinute: number;
  /** Limits of an integration's installation in a minute; those of an organization share four times as much. */
  readonly installations: InstallationLimits;
  /** Messages of one client to one SAML provider in a minute: sign-ins, and as many of logout. */
  readonly samlAnswersPerMinute: number;
}

/** Limits of an integration's installation in a minute. */
interface InstallationLimits {
  /** Points for its script's API calls and CPU time. */
  readonly points: number;
  /** Requests to other servers. */
  readonly fetches: number;
  /** Requests to its public endpoint. */
  readonly requests: number;
  /** Requests of one client to public endpoints of any installation. */
  readonly requestsOfClient: number;
}

/** All installations of an organization share this many times the limit of one. */
export const installationsOfOrganization = 4;

/** Limits of what may exist. */
export interface Quotas {
  /** Valid API tokens of a user, and service tokens of an organization. */
  readonly tokensPerUser: number;
  /** Spaces of an organization. */
  readonly spaces: number;
  /** Organizations created by a user. */
  readonly organizations: number;
  /** Open invitations of an organization. */
  readonly invitations: number;
  /** Invitation e-mails of a user in 24 hours. */
  readonly invitationEmailsPerDay: number;
  /** Invitation e-mails of an organization's users and tokens in 24 hours. */
  readonly invitationEmailsOfOrganizationPerDay: number;
  /** Bytes of the files of a space or change request. */
  readonly fileBytes: number;
  /** Imports that a user begins in 24 hours. */
  readonly importsPerDay: number;
  /** Of one import. */
  readonly ofImport: {
    /** Bytes that are fetched and unpacked. */
    readonly bytes: number;
    readonly files: number;
    readonly pages: number;
    /** Seconds of threads for its texts and images. */
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

/** A number for people: `2,000,000`. */
export const inFigures = (value: number): string => Math.ceil(value).toLocaleString("en");

/** The default memory of all caches, in megabytes. */
export const cacheMegabytes = 320;
