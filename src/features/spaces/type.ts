// The GraphQL type Space.
import { ofLength } from "#src/graph/schema/rest-forms.ts";
import { spaceTexts } from "#src/features/spaces/commands/space.ts";
import { itemRole, itemRoleColumns } from "#src/access/content.ts";
import { ContentItem, contentOrderFields } from "#src/features/collections/type.ts";
import { keyQuery, type Links, siteAddress } from "#src/base/public-urls.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { deletedSpacePermissions, spacePermissions } from "#src/features/spaces/access.ts";
import { findableSpaces, type ShownOn } from "#src/features/spaces/reads.ts";
import type {
  SpaceVisibility as SpaceVisibilityValue,
  VisitorAuthBackend as VisitorAuthBackendValue,
} from "#src/generated/prisma/enums.ts";
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineOrder } from "#src/graph/schema/orders.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const SpaceVisibility = defineEnum(
  "SpaceVisibility",
  "The visibility of a space, beyond users with a role on it.",
  {
    public: "Anyone; indexed by search engines. Members have their roles.",
    unlisted: "Anyone; not indexed. Members have their roles.",
    share_link: "Anyone with the secret key of the link (`shareLink`). Members have their roles.",
    visitor_auth: "Visitors with a token (JWT) of a published site that shows it to them. Members have their roles.",
    in_collection: "Everybody who can see the parent collection, with their role there.",
    private:
      "Authorized members: admins of the organization, and users with a grant on the space itself; other members by its own `defaultLevel`, or if it is `openToMembers`. Roles on parent collections do not count.",
  },
  { hyphens: true },
);

export const SpaceEditMode = defineEnum("SpaceEditMode", "Whether the main content may be edited.", {
  live: "Users edit directly.",
  locked: "All edits are locked.",
});

export const SearchLanguage = defineEnum(
  "SearchLanguage",
  "A language by whose rules search also matches other forms of words.",
  {
    arabic: "Arabic.",
    armenian: "Armenian.",
    basque: "Basque.",
    catalan: "Catalan.",
    danish: "Danish.",
    dutch: "Dutch.",
    english: "English.",
    finnish: "Finnish.",
    french: "French.",
    german: "German.",
    greek: "Greek.",
    hindi: "Hindi.",
    hungarian: "Hungarian.",
    indonesian: "Indonesian.",
    irish: "Irish.",
    italian: "Italian.",
    lithuanian: "Lithuanian.",
    nepali: "Nepali.",
    norwegian: "Norwegian.",
    portuguese: "Portuguese.",
    romanian: "Romanian.",
    russian: "Russian.",
    serbian: "Serbian.",
    spanish: "Spanish.",
    swedish: "Swedish.",
    tamil: "Tamil.",
    turkish: "Turkish.",
    yiddish: "Yiddish.",
  },
);

const VisitorAuthBackend = defineEnum("VisitorAuthBackend", "The service that signs visitors in.", {
  custom: "A custom backend of the owner.",
  azure: "Azure AD.",
  auth0: "Auth0.",
  okta: "Okta.",
  cognito: "AWS Cognito.",
  oidc: "OpenID Connect.",
});

const VisitorAuth = builder.objectRef<{ backend: VisitorAuthBackendValue }>("VisitorAuth").implement({
  description: "The sign-in of visitors of a space.",
  fields: (t) => ({
    backend: t.expose("backend", { type: VisitorAuthBackend, description: "The service that signs them in." }),
  }),
});

const SpaceUrls = defineLinks(
  "SpaceUrls",
  "Links of a space.",
  {
    location: "The space in the REST interface; with the key of a share-link space if the right one was given.",
    app: "The space in the application.",
  },
  {
    published:
      "Its published content: its own address if it is public or unlisted, or share-link and the right `shareKey` was given, or else that on the first published site that you see and that shows it without a condition, for a share-link site with the right `shareKey`. Null without any.",
    public: "Its published content if it is public.",
  },
);

const SpacePermissions = defineFlags("SpacePermissions", "Permissions of the viewer on a space.", {
  view: "View it and its published content.",
  access: "See its content, change requests and comments.",
  admin: "Change, move, transfer, delete and restore it.",
  viewInviteLinks:
    "See its invite links, which needs the role `admin`. docgraph has only invite links of organizations.",
  edit: "Edit its content; the main content only if `editMode` allows it.",
  triggerGitSync: "Synchronise it with a repository, which needs the role `admin`. docgraph has no operation for that.",
  comment: "Comment.",
  merge: "Merge change requests.",
  review: "Review change requests.",
});

export const ShareLink = builder.objectRef<{ key: string; url: string }>("ShareLink").implement({
  description: "The link by which anyone reads a share-link space, or a share-link site once it is published.",
  fields: (t) => ({
    key: t.exposeString("key", { description: "The secret key, which `shareKey` arguments and parameters take." }),
    url: t.exposeString("url", {
      description: "Address of the published content with the key, to share with readers.",
    }),
  }),
});

/** The addresses of the published content of a space; null unless it is open. `key` is that of its link, if given. */
export function publishedUrls(
  { id, visibility, key }: { id: string; visibility: SpaceVisibilityValue | null; key: string | null },
  links: Links,
): { published: string | null; public: string | null } {
  if (visibility === "share_link") return { published: key && links.published(id, [key]), public: null };
  const published = visibility === "public" || visibility === "unlisted" ? links.published(id) : null;
  return { published, public: visibility === "public" ? published : null };
}

const segmentsOf = ({ path }: ShownOn): string[] => path.flatMap((part) => part.split("/"));

export const SpaceOrder = defineOrder("Space", "spaces", contentOrderFields);

export const Space = defineNode("Space", findableSpaces, {
  description: "A body of documentation content.",
  resource: "space",
  interfaces: [ContentItem],
  fields: (t) => ({
    title: t.exposeString("title", {
      description: "Title, at most 50 characters.",
      extensions: ofLength(spaceTexts.title),
    }),
    emoji: t.exposeString("emoji", {
      description: "An emoji, at most 50 characters.",
      extensions: ofLength(spaceTexts.emoji),
    }),
    visibility: t.expose("visibility", { type: SpaceVisibility, description: "Visibility." }),
    openToMembers: t.exposeBoolean("openToMembers", {
      description:
        "Whether all members of the organization, except guests, have their role there on it while it is PRIVATE.",
    }),
    position: t.exposeString("position", {
      description:
        "Sort key among the collections and spaces of the same parent, compared byte by byte. It may change when others move.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was last changed." }),
    deletedAt: t.expose("deletedAt", {
      type: "DateTime",
      nullable: true,
      description:
        "When it was deleted; null if it is not deleted. It is permanently removed seven days later; until then only users who may restore it see it.",
    }),
    editMode: t.expose("editMode", { type: SpaceEditMode, description: "Whether its main content may be edited." }),
    organizationId: t.exposeID("organizationId", { description: "Id of the owning organization." }),
    parentId: t.exposeID("parentId", {
      nullable: true,
      description: "Id of the parent collection; null at the top level.",
    }),
    revisionId: t.exposeID("revisionId", { description: "Id of the active revision of its main content." }),
    defaultLevel: t.expose("defaultLevel", {
      type: Role,
      nullable: true,
      description: "Default role of members on it; null inherits that of the parent collection.",
    }),
    searchLanguage: t.expose("searchLanguage", {
      type: SearchLanguage,
      nullable: true,
      description:
        "The language of its texts, by whose rules search also matches other forms of words; null matches words literally.",
    }),
    freezesComputed: t.exposeBoolean("freezesComputed", {
      description:
        "Whether a new version of the sources of its computed pages creates a new revision; otherwise the active revision is updated.",
    }),
    visitorAuth: t.valueOrNull(
      VisitorAuth,
      "The sign-in of its visitors if it is for visitors with a token: CUSTOM is a backend of the owner that issues the tokens. Null for other visibilities.",
      ["visibility", "visitorAuthBackend"],
      ({ visibility, visitorAuthBackend: backend }) =>
        visibility === "visitor_auth" ? { backend: backend ?? "custom" } : null,
    ),
    shareLink: t.valueOrNull(
      ShareLink,
      "The link to share with readers, for admins of a share-link space; null for everybody else, and for other visibilities.",
      ["visibility", "shareKey", "deletedAt", ...itemRoleColumns],
      ({ id, visibility, shareKey: key, deletedAt, ...space }, { viewer, links }) =>
        visibility === "share_link" && key !== null && deletedAt === null && spacePermissions(viewer, space).admin
          ? { key, url: links.published(id, [key]) }
          : null,
    ),
    urls: t.value(
      SpaceUrls,
      "Links.",
      ["visibility", "givenKey", "shownOn", "deletedAt"],
      ({ id, visibility, givenKey: key, shownOn, deletedAt }, { publicUrl, links }) => {
        const own = publishedUrls({ id, visibility: deletedAt === null ? visibility : null, key }, links);
        const onSite = deletedAt === null && shownOn ? siteAddress(shownOn, links, segmentsOf(shownOn)) : null;
        return {
          location: `${publicUrl}/v1/spaces/${id}${keyQuery(key)}`,
          app: links.app(`spaces/${id}`, id),
          ...own,
          published: own.published ?? onSite,
        };
      },
    ),
    viewerRole: t.valueOrNull(
      Role,
      "The viewer's own role on it: the highest of their role in the organization or the default level, and of their grants; null if they have none, and see it only by its visibility.",
      itemRoleColumns,
      (space, { viewer }) => itemRole(viewer, space),
    ),
    permissions: t.value(
      SpacePermissions,
      "Permissions of the viewer.",
      [...itemRoleColumns, "deletedAt"],
      (space, { viewer }) =>
        space.deletedAt === null ? spacePermissions(viewer, space) : deletedSpacePermissions(viewer, space),
    ),
  }),
});
