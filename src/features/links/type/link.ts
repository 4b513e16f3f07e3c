// The GraphQL type ContentLink, and the connections of links and of backlinks.
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
  "Whether a link leads somewhere.",
  {
    ok: "What it leads to is there, and all who see its page may see it; or it is an address outside that is not known to be broken.",
    broken:
      "What it leads to is not there: a page, anchor or file of the content, a path, what is elsewhere and not seen by all who see its page, or an address " +
      "outside, where the organization has these looked at.",
    in_app: "It leads to an address of the application or of the gateway.",
  },
  { hyphens: true },
);

const LinkRelation = defineEnum<LinkRelationValue>("LinkRelation", "How a page leads to something.", {
  reference: "By a link.",
  embed: "By putting it in place, as `{{ reusable:<id> }}` does.",
  image: "By showing it, as a picture or cover.",
});

const locationLimit = 100;

const OutsideLinkStatus = defineEnum<OutsideLinkStatusValue>(
  "OutsideLinkStatus",
  "Whether something is at an address.",
  {
    unchecked:
      "Nobody knows: the organization has not turned `checksOutsideLinks` on, it was not looked at yet, or its server does not say.",
    ok: "Something is there.",
    broken: "Nothing is there, or its server did not answer three times in a row.",
  },
);

const OutsideLink = builder.objectRef<OutsideCheck>("OutsideLink").implement({
  description: "What is known of the address of another server, which is looked at once a day.",
  fields: (t) => ({
    status: t.expose("status", { type: OutsideLinkStatus, description: "Whether something is there." }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "Why it is broken, or its server does not say; null where nothing is to be said.",
    }),
    checkedAt: t.expose("checkedAt", {
      type: "DateTime",
      nullable: true,
      description: "When that was found out; null for never.",
    }),
  }),
});

const ContentLink = builder.objectRef<ContentLinkValue>("ContentLink").implement({
  description:
    "A link: of texts and of the reusable contents that they include, with the values of variables in place, of covers, and of link pages. The same " +
    "address is one link, on however many pages it stands.",
  fields: (t) => ({
    status: t.expose("status", { type: LinkStatus, description: "Whether it leads somewhere." }),
    relation: t.expose("relation", { type: LinkRelation, description: "How it leads there." }),
    address: t.exposeString("address", {
      description: "The address as the text has it, whatever its scheme: show it, and link to `targetReference`.",
    }),
    isByPath: t.exposeBoolean("isByPath", {
      description:
        "Whether it names a page by its path, as `../guide.md` does: such links break when pages move; `repairLinks` makes them last.",
    }),
    targetReference: t.valueOrNull(
      ResolvedReference,
      "What it leads to; null for a reusable content.",
      ({ reference, content }) => reference && { reference, content },
    ),
    outside: t.valueOrNull(
      OutsideLink,
      "What is known of the address where it is that of another server; null for any other link.",
      ({ outside }) => outside,
    ),
    locationReferences: t.value(
      [ResolvedReference],
      "The pages on which it stands, in the order of the tree; at most 100.",
      ({ pages, content }): ReferenceIn[] => pages.slice(0, locationLimit).map((page) => locationOf(page, content)),
    ),
    locationCount: t.value("Int", "Number of pages on which it stands.", ({ pages }) => pages.length),
  }),
});

const locationOf = (page: PageRow, content: ReferenceIn["content"]): ReferenceIn => ({
  reference: { kind: "page", page: page.pageId },
  content,
});

interface CountedLinks {
  readonly total: number;
  readonly broken: number;
  /** Counted when it is asked for. */
  readonly byChangeRequest: () => Promise<number>;
}

const BrokenLinkStats = builder.objectRef<CountedLinks>("BrokenLinkStats").implement({
  description: "How many links are broken.",
  fields: (t) => ({
    total: t.int({ description: "Number of those that are broken.", resolve: ({ broken }) => broken }),
    changeRequest: t.int({
      description: "Number of those that the change request breaks, and its space does not; 0 for main content.",
      resolve: ({ byChangeRequest }) => byChangeRequest(),
    }),
  }),
});

const LinkStats = builder.objectRef<CountedLinks>("LinkStats").implement({
  description: "How many links there are, whatever the status that is asked for.",
  fields: (t) => ({
    total: t.exposeInt("total", { description: "Number of all of them." }),
    broken: t.value(BrokenLinkStats, "How many are broken.", (counted) => counted),
  }),
});

/** A page of links, with what is counted of all of them. */
const counted = new WeakMap<object, CountedLinks>();

export const ContentLinkConnection = connectionOf(ContentLink);
builder.objectField(ContentLinkConnection, "stats", (t) =>
  t.field({
    type: LinkStats,
    description: "How many links there are.",
    resolve: (page) => counted.get(page) ?? { total: 0, broken: 0, byChangeRequest: async () => 0 },
  }),
);

export type LinksAsked = PageArguments & { readonly status?: LinkStatusValue | null | undefined };

export function pageOfLinks(
  links: readonly ContentLinkValue[],
  { status, ...asked }: LinksAsked,
  byChangeRequest: () => Promise<number>,
): PageOf<ContentLinkValue> {
  const shown = status == null ? links : links.filter((link) => link.status === status);
  const page = slicePage(shown, ({ id }) => id, asked);
  const broken = links.filter((link) => link.status === "broken").length;
  counted.set(page, { total: links.length, broken, byChangeRequest });
  return page;
}

export const ResolvedReferenceConnection = connectionOf(ResolvedReference);

/** A page of backlinks: pages, as references to them. */
export const pageOfBacklinks = (pages: readonly PageInRevision[], asked: PageArguments): PageOf<ReferenceIn> =>
  slicePage(
    pages.map((page) => ({ ...locationOf(page, page.revision), id: page.id })),
    ({ id }) => id,
    asked,
  );

export const linkArguments = builder.args((t) => ({
  ...pageArguments,
  status: t.field({ type: LinkStatus, description: "Only those of this status." }),
}));
