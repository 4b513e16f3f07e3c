// The public client of the platform, typed as far as the tests read it: its own types do not resolve under NodeNext.
import { GitBookAPI } from "@gitbook/api";

interface Answer {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly revision: string;
  readonly items: readonly Answer[];
  readonly changes: readonly Readonly<Record<string, unknown>>[];
  readonly more: number;
  readonly permission: string;
  readonly user: { readonly id: string };
  readonly page: { readonly title: string; readonly pages: readonly unknown[] };
}

type Methods<Names extends string> = Readonly<
  Record<Names, (...input: unknown[]) => Promise<{ readonly data: Answer }>>
>;

export interface PublicClient {
  readonly user: Methods<"getAuthenticatedUser">;
  readonly orgs: Methods<
    | "createOrganization"
    | "createOrganizationInvite"
    | "createSite"
    | "createSpace"
    | "getSiteCustomizationById"
    | "inviteUsersToOrganization"
    | "joinOrganizationWithInvite"
    | "listSpacesInOrganizationById"
    | "publishSite"
    | "updateSiteCustomizationById"
  >;
  readonly users: Methods<"getUserById">;
  readonly integrations: Methods<"renderIntegrationUiWithPost">;
  readonly urls: Methods<"getContentByUrl" | "getPublishedContentByUrl" | "resolvePublishedContentByUrl">;
  readonly spaces: Methods<
    | "createChangeRequest"
    | "getChangeRequestChanges"
    | "getChangeRequestReviewById"
    | "getPageInChangeRequestByPath"
    | "getPageInRevisionByPath"
    | "getRequestedReviewersByChangeRequestId"
    | "getRevisionSemanticChanges"
    | "listPermissionsAggregateInSpace"
    | "inviteToSpace"
    | "listFilesInChangeRequestById"
    | "mergeChangeRequest"
    | "postCommentInChangeRequest"
    | "postCommentReplyInChangeRequest"
    | "requestReviewersForChangeRequest"
    | "submitChangeRequestReview"
    | "updateChangeRequestById"
    | "updateChangeRequestContent"
  >;
}

export const publicClient = (endpoint: string, authToken: string): PublicClient =>
  new GitBookAPI({ endpoint, authToken }) as unknown as PublicClient; // it has these parts
