// The GraphQL type ContentLink, and the connections of links and backlinks.
import { type Page as PageOf, type PageArguments, slicePage } from "#src/db/reading/page.ts";
import type { PageRow } from "#src/features/content/model/page.ts";
import type { PageInRevision } from "#src/features/content/reads/pages.ts";
import type { ContentLink as ContentLinkValue } from "#src/features/links/reads/content-links.ts";
import type { LinkStatus as LinkStatusValue } from "#src/features/links/reads/statuses.ts";
import type { LinkRelation as LinkRelationValue } from "#src/features/links/model/text-links.ts";
import type { OutsideCheck } from "#src/features/links/reads/lookups.ts";
import type { OutsideLinkStatus as OutsideLinkStatusValue } from "#src/generated/prisma/enums.ts";
import { type ReferenceIn, ResolvedReference } from "#src/features/links/type/reference.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { connectionOf, pageArguments } from "#src/graph/schema/nodes.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const LinkStatus = defineEnum<LinkStatusValue>(
  "LinkStatus",
  "The status of a link.",
  {
    ok: "The target exists and is visible to all viewers of the page, or it is an external URL that is not known to be broken.",
    broken:
      "The target does not exist: a page, anchor or file of the content, a path, an object elsewhere that not all viewers of the page may see, or an external " +
      "URL, if the organization has turned `checksOutsideLinks` on.",
    in_app: "The target is a URL of the application or the gateway.",
  },
  { hyphens: true },
);

const LinkRelation = defineEnum<LinkRelationValue>("LinkRelation", "The kind of a link.", {
  reference: "A link.",
  embed: "An embedded content, such as `{{ reusable:<id> }}`.",
  image: "An image or cover.",
});

const locationLimit = 100;

const OutsideLinkStatus = defineEnum<OutsideLinkStatusValue>("OutsideLinkStatus", "The status of an external URL.", {
  unchecked:
    "Unknown: the organization has not turned `checksOutsideLinks` on, the URL was not checked yet, or the response of its server is inconclusive.",
  ok: "The URL exists.",
  broken: "The URL does not exist, or its server did not respond three times in a row.",
});

const OutsideLink = builder.objectRef<OutsideCheck>("OutsideLink").implement({
  description: "The result of the daily check of an external URL.",
  fields: (t) => ({
    status: t.expose("status", { type: OutsideLinkStatus, description: "Status of the URL." }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "Reason of the status; null if it has none.",
    }),
    checkedAt: t.expose("checkedAt", {
      type: "DateTime",
      nullable: true,
      description: "Time of the check; null if it was never checked.",
    }),
  }),
});

const ContentLink = builder.objectRef<ContentLinkValue>("ContentLink").implement({
  description:
    "A link in texts and included reusable contents, with the values of variables, in covers, or of link pages. The same " +
    "URL on several pages is one link.",
  fields: (t) => ({
    status: t.expose("status", { type: LinkStatus, description: "Status of the link." }),
    relation: t.expose("relation", { type: LinkRelation, description: "Kind of the link." }),
    address: t.exposeString("address", {
      description:
        "The URL as written in the text, with any scheme. Only display it; link to `targetReference` instead.",
    }),
    isByPath: t.exposeBoolean("isByPath", {
      description:
        "Whether it refers to a page by its path, such as `../guide.md`. Such links break when pages move; `repairLinks` converts them to links by id.",
    }),
    targetReference: t.valueOrNull(
      ResolvedReference,
      "Target of the link; null for a reusable content.",
      ({ reference, content }) => reference && { reference, content },
    ),
    outside: t.valueOrNull(
      OutsideLink,
      "Result of the check of an external URL; null for other links.",
      ({ outside }) => outside,
    ),
    locationReferences: t.value(
      [ResolvedReference],
      "Pages that contain it, in tree order; at most 100.",
      ({ pages, content }): ReferenceIn[] => pages.slice(0, locationLimit).map((page) => locationOf(page, content)),
    ),
    locationCount: t.value("Int", "Number of pages that contain it.", ({ pages }) => pages.length),
  }),
});

const locationOf = (page: PageRow, content: ReferenceIn["content"]): ReferenceIn => ({
  reference: { kind: "page", page: page.pageId },
  content,
});

interface CountedLinks {
  readonly total: number;
  readonly broken: number;
  /** Counted only if selected. */
  readonly byChangeRequest: () => Promise<number>;
}

const BrokenLinkStats = builder.objectRef<CountedLinks>("BrokenLinkStats").implement({
  description: "Numbers of broken links.",
  fields: (t) => ({
    total: t.int({ description: "Number of broken links.", resolve: ({ broken }) => broken }),
    changeRequest: t.int({
      description: "Number of links broken by the change request, but not in its space; 0 for main content.",
      resolve: ({ byChangeRequest }) => byChangeRequest(),
    }),
  }),
});

const LinkStats = builder.objectRef<CountedLinks>("LinkStats").implement({
  description: "Numbers of links, regardless of the filter by status.",
  fields: (t) => ({
    total: t.exposeInt("total", { description: "Number of all links." }),
    broken: t.value(BrokenLinkStats, "Numbers of broken links.", (counted) => counted),
  }),
});

/** The numbers of all links, by page of the list. */
const counted = new WeakMap<object, CountedLinks>();

export const ContentLinkConnection = connectionOf(ContentLink);
builder.objectField(ContentLinkConnection, "stats", (t) =>
  t.field({
    type: LinkStats,
    description: "Numbers of links.",
    resolve: (page) => counted.get(page) ?? { total: 0, broken: 0, byChangeRequest: async () => 0 },
  }),
);

export type LinkArguments = PageArguments & { readonly status?: LinkStatusValue | null | undefined };

export function pageOfLinks(
  links: readonly ContentLinkValue[],
  { status, ...args }: LinkArguments,
  byChangeRequest: () => Promise<number>,
): PageOf<ContentLinkValue> {
  const shown = status == null ? links : links.filter((link) => link.status === status);
  const page = slicePage(shown, ({ id }) => id, args);
  const broken = links.filter((link) => link.status === "broken").length;
  counted.set(page, { total: links.length, broken, byChangeRequest });
  return page;
}

export const ResolvedReferenceConnection = connectionOf(ResolvedReference);

/** A page of backlinks: pages, as references to them. */
export const pageOfBacklinks = (pages: readonly PageInRevision[], args: PageArguments): PageOf<ReferenceIn> =>
  slicePage(
    pages.map((page) => ({ ...locationOf(page, page.revision), id: page.id })),
    ({ id }) => id,
    args,
  );

export const linkArguments = builder.args((t) => ({
  ...pageArguments,
  status: t.field({ type: LinkStatus, description: "Only links with this status." }),
}));
