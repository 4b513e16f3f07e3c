// Reading what is known of addresses outside.
import type { Instant } from "#src/base/time.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Query } from "#src/features/content/reads/trees.ts";
import type { OutsideLinkStatus } from "#src/generated/prisma/enums.ts";

export interface OutsideCheck {
  readonly status: OutsideLinkStatus;
  readonly reason: string | null;
  readonly checkedAt: Instant | null;
}

export const unchecked: OutsideCheck = { status: "unchecked", reason: null, checkedAt: null };

/** An address by `outsideUrl`, as a content of a space has it. */
export interface OutsidePlace {
  readonly space: string;
  readonly url: string;
}

export const keyOfOutside = ({ space, url }: OutsidePlace): string => `${space} ${url}`;

/** What is known of these addresses: nothing where the organization of the space does not want them to be looked at. */
export async function readOutside(
  query: Query,
  places: readonly OutsidePlace[],
): Promise<ReadonlyMap<string, OutsideCheck>> {
  const rows = await query<OutsidePlace & Omit<OutsideCheck, "checkedAt"> & { checkedAt: Instant | Date | null }>(
    sql`select u.space, a.url, a.status, a.reason, a."checkedAt"
      from unnest(${places.map(({ space }) => space)}::text[], ${places.map(({ url }) => url)}::text[]) u(space, url)
      join "Space" s on s.id = u.space join "Organization" o on o.id = s."organizationId" and o."checksOutsideLinks"
      join "OutsideAddress" a on a.url = u.url`,
  );
  return new Map(
    rows.map(({ status, reason, checkedAt, ...place }) => [
      keyOfOutside(place),
      { status, reason, checkedAt: checkedAt instanceof Date ? checkedAt.toISOString() : checkedAt },
    ]),
  );
}
