// The status of a change request and of its reviews, in words.
import { html, type Html } from "#src/http/html.ts";

export type Status = "DRAFT" | "OPEN" | "MERGED" | "ARCHIVED";
export type ReviewStatus = "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED" | "REQUESTED";
export type ReviewOutcome = "APPROVED" | "CHANGES_REQUESTED" | "NONE" | "PENDING";

const statuses: Readonly<Record<Status, string>> = {
  DRAFT: "Draft",
  OPEN: "In review",
  MERGED: "Merged",
  ARCHIVED: "Archived",
};

const outcomes: Readonly<Record<Exclude<ReviewOutcome, "NONE">, string>> = {
  APPROVED: "Approved",
  CHANGES_REQUESTED: "Changes requested",
  PENDING: "Review requested",
};

const reviews: Readonly<Record<ReviewStatus, string>> = {
  APPROVED: "Approved",
  CHANGES_REQUESTED: "Changes requested",
  DISMISSED: "Dismissed",
  REQUESTED: "Requested",
};

const badge = (text: string, kind: string): Html =>
  html`<span class="badge ${kind.toLowerCase().replace("_", "-")}">${text}</span>`;

export const statusBadge = (status: Status): Html => badge(statuses[status], status);

/** Nothing without any review. */
export const outcomeBadge = (outcome: ReviewOutcome): Html =>
  outcome === "NONE" ? html`` : badge(outcomes[outcome], outcome);

export const reviewBadge = (status: ReviewStatus): Html => badge(reviews[status], status);
