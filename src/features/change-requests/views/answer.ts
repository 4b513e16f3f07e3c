// The answer that the views of one change request show.
import type { ReviewOutcome, ReviewStatus, Status } from "#src/features/change-requests/views/badges.ts";
import type { Hunk } from "#src/features/content/views/text-diff.ts";
import type { AppFrame } from "#src/features/users/views/app-frame.ts";

export interface Named {
  readonly id: string;
  readonly displayName: string;
}

interface PlacedPage {
  readonly title: string;
  readonly path: string;
  readonly parent: { readonly title: string } | null;
}

export interface TextChange {
  readonly linesAdded: number;
  readonly linesRemoved: number;
  readonly hunks: readonly Hunk[] | null;
}

export interface PageChange {
  readonly pageId: string;
  readonly kinds: readonly ("CREATED" | "DELETED" | "EDITED" | "MOVED")[];
  readonly move: "ORDER" | "PARENT" | null;
  readonly before: PlacedPage | null;
  readonly after: PlacedPage | null;
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[];
  readonly text: TextChange | null;
}

interface FileNames {
  readonly nodes: readonly { readonly fileId: string; readonly name: string }[];
}

export interface Changes {
  readonly pages: {
    readonly totalCount: number;
    readonly nodes: readonly PageChange[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
  readonly reusableContents: readonly {
    readonly reusableContentId: string;
    readonly before: { readonly title: string } | null;
    readonly after: { readonly title: string } | null;
    readonly text: TextChange | null;
  }[];
  readonly variables: readonly {
    readonly name: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  readonly createdFiles: FileNames;
  readonly deletedFiles: FileNames;
}

interface Said {
  readonly id: string;
  readonly body: {
    readonly markdown: string;
    /** Null for texts that are too long to convert. */
    readonly html: string | null;
  };
  readonly postedAt: string;
  readonly editedAt: string | null;
  readonly postedBy: Named;
  readonly reactions: readonly {
    readonly emoji: string;
    readonly count: number;
    readonly viewerHasReacted: boolean;
  }[];
  readonly permissions: Readonly<Record<"delete" | "edit" | "reply" | "resolve", boolean>>;
}

export type Reply = Said;

export interface Comment extends Said {
  readonly status: "OPEN" | "RESOLVED";
  readonly resolvedBy: Named | null;
  readonly target: {
    readonly node: { readonly key: string; readonly preview: string | null } | null;
    readonly page: { readonly pageId: string; readonly title: string | null; readonly outdated: boolean } | null;
  };
  readonly replies: { readonly nodes: readonly Reply[] };
}

export interface Review {
  readonly id: string;
  readonly status: ReviewStatus;
  readonly outdated: boolean;
  readonly message: string | null;
  /** Null also for texts that are too long to convert. */
  readonly messageHtml: string | null;
  readonly reviewedAt: string | null;
  readonly requestedAt: string | null;
  readonly reviewer: Named;
  readonly permissions: { readonly dismiss: boolean; readonly withdraw: boolean };
}

interface Titled {
  readonly title: string;
}

/** The fields of all kinds of conflicts; a kind has some of them. */
export interface Conflict {
  readonly conflictId: string;
  readonly message: string;
  readonly takesText: boolean;
  readonly page?: Titled;
  readonly field?: string;
  readonly name?: string;
  readonly oursText?: string;
  readonly theirsText?: string;
  readonly oursValue?: unknown;
  readonly theirsValue?: unknown;
  readonly ours?: string | null;
  readonly theirs?: string | null;
  readonly oursParent?: Titled | null;
  readonly theirsParent?: Titled | null;
  readonly oursPage?: Titled;
  readonly theirsPage?: Titled;
  readonly oursPages?: readonly Titled[];
  readonly theirsPages?: readonly Titled[];
  readonly deletedBy?: "OURS" | "THEIRS";
}

export interface ChangeRequest {
  readonly id: string;
  readonly number: number;
  readonly subject: string;
  readonly status: Status;
  readonly reviewStatus: ReviewOutcome;
  readonly outdated: boolean;
  readonly revisionId: string;
  readonly createdAt: string;
  readonly createdBy: Named;
  readonly mergedAt: string | null;
  readonly mergedBy: Named | null;
  readonly permissions: Readonly<
    Record<"comment" | "edit" | "merge" | "requestReviews" | "review" | "update", boolean>
  >;
  readonly changes: Changes;
  /** Null if the comparison with the main content takes too long. */
  readonly conflicts: readonly Conflict[] | null;
  readonly brokenLinks: {
    readonly totalCount: number;
    readonly nodes: readonly {
      readonly address: string;
      readonly locationReferences: readonly { readonly page: { readonly title: string } | null }[];
    }[];
  };
  readonly comments: {
    readonly totalCount: number;
    readonly nodes: readonly Comment[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
  readonly reviews: { readonly nodes: readonly Review[] };
}

export interface ChangeRequestAnswer extends AppFrame {
  readonly space: {
    readonly id: string;
    readonly title: string;
    /** Null for viewers who may not see the members. */
    readonly members: {
      readonly nodes: readonly { readonly role: string; readonly user: Named }[];
    } | null;
    readonly changeRequest: Omit<ChangeRequest, "conflicts"> | null;
    /** Null if it takes too long: a field of its own, so that the rest is shown then. */
    readonly compared: { readonly conflicts: readonly Conflict[] } | null;
  };
}
