// The filters of the list of change requests, by the parameter `show` of its address.
import type { Status } from "#src/features/change-requests/views/badges.ts";

interface Filter {
  readonly name: string;
  /** Shown in place of an empty list. */
  readonly empty: string;
  readonly statuses?: readonly Status[];
  readonly mine?: boolean;
  readonly isWaiting?: boolean;
}

const open: Filter = {
  name: "Open",
  empty: "No change request is open.",
  statuses: ["DRAFT", "OPEN"],
};

export const filters: Readonly<Record<string, Filter>> = {
  open,
  waiting: { name: "Waiting for my review", empty: "Nothing here waits for your review.", isWaiting: true },
  mine: { name: "Mine", empty: "You have not started a change request here.", mine: true },
  merged: { name: "Merged", empty: "No change request was merged yet.", statuses: ["MERGED"] },
  archived: { name: "Archived", empty: "No change request is archived.", statuses: ["ARCHIVED"] },
  all: { name: "All", empty: "This space has no change requests yet." },
};

/** The name of the filter in an address: `open` without a known one. */
export const filterNameIn = (search: URLSearchParams): string => {
  const name = search.get("show") ?? "";
  return Object.hasOwn(filters, name) ? name : "open";
};

export const filterOf = (search: URLSearchParams): Filter => filters[filterNameIn(search)] ?? open;
