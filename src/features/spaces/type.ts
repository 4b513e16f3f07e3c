// The GraphQL type Space.
import { Role } from "#src/features/organizations/type/enums.ts";
import {
  spacePermissions,
  type SpacePermissions as Permissions,
  spaceRoleColumns,
} from "#src/features/spaces/access.ts";
import { findSpace, type SpaceRow } from "#src/features/spaces/reads.ts";
import type {
  SpaceEditMode as SpaceEditModeValue,
  SpaceVisibility as SpaceVisibilityValue,
  VisitorAuthBackend as VisitorAuthBackendValue,
} from "#src/generated/prisma/enums.ts";
import { builder, Node, Resource } from "#src/graph/builder.ts";
import { connectionOf } from "#src/graph/connections.ts";
import { findNodesBy } from "#src/graph/nodes.ts";
import { defineEnum } from "#src/graph/scalars.ts";

export const SpaceVisibility = defineEnum<SpaceVisibilityValue>(
  "SpaceVisibility",
  "Who may view a space beside those with a role on it.",
  {
    public: "Anyone; indexed by search engines.",
    unlisted: "Anyone; not indexed.",
    share_link: "Anyone with the secret key of the link.",
    visitor_auth: "Anyone signed in through a JWT.",
    in_collection: "Whoever can access the parent collection.",
    private: "Authorized members.",
  },
  { hyphens: true },
);

export const SpaceEditMode = defineEnum<SpaceEditModeValue>(
  "SpaceEditMode",
  "Whether the main content may be edited.",
  {
    live: "Users edit directly.",
    locked: "All edits are locked.",
  },
);

const VisitorAuthBackend = defineEnum<VisitorAuthBackendValue>("VisitorAuthBackend", "Who signs visitors in.", {
  custom: "A backend of the customer's own.",
  azure: "Azure AD.",
  auth0: "Auth0.",
  okta: "Okta.",
  cognito: "AWS Cognito.",
  oidc: "OpenID Connect.",
});

const VisitorAuth = builder.objectRef<{ backend: VisitorAuthBackendValue }>("VisitorAuth").implement({
  description: "How visitors of a space sign in.",
  fields: (t) => ({ backend: t.expose("backend", { type: VisitorAuthBackend, description: "Who signs them in." }) }),
});

/** The form of Space.gitSync. */
export interface GitSyncShape {
  repoName?: string;
  installationProvider?: "github" | "gitlab";
  integration?: string;
  url?: string;
  updatedAt?: string;
}

const GitProvider = defineEnum<"github" | "gitlab">("GitProvider", "Where a synchronised repository is.", {
  github: "GitHub.",
  gitlab: "GitLab.",
});

const GitSync = builder.objectRef<GitSyncShape>("GitSync").implement({
  description: "The Git repository that a space is synchronised with.",
  fields: (t) => ({
    repoName: t.string({ nullable: true, description: "Name of the repository.", resolve: (sync) => sync.repoName }),
    installationProvider: t.field({
      type: GitProvider,
      nullable: true,
      description: "Where it is.",
      resolve: (sync) => sync.installationProvider,
    }),
    integration: t.string({
      nullable: true,
      description: "Name of the integration that synchronises.",
      resolve: (sync) => sync.integration,
    }),
    url: t.string({ nullable: true, description: "Address of the repository.", resolve: (sync) => sync.url }),
    updatedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Last synchronisation.",
      resolve: (sync) => sync.updatedAt,
    }),
  }),
});

interface Urls {
  location: string;
  app: string;
  published: string | null;
  public: string | null;
  icon: string | null;
}

const SpaceUrls = builder.objectRef<Urls>("SpaceUrls").implement({
  description: "Links of a space.",
  fields: (t) => ({
    location: t.exposeString("location", { description: "The space in the REST interface." }),
    app: t.exposeString("app", { description: "The space in the application." }),
    published: t.exposeString("published", {
      nullable: true,
      description: "Its published content, for whoever may view it.",
    }),
    public: t.exposeString("public", { nullable: true, description: "Its published content, when it is public." }),
    icon: t.exposeString("icon", { nullable: true, description: "A picture of it." }),
  }),
});

const SpacePermissions = builder.objectRef<Permissions>("SpacePermissions").implement({
  description: "What the viewer may do with a space.",
  fields: (t) => ({
    view: t.exposeBoolean("view", { description: "View it and its published content." }),
    access: t.exposeBoolean("access", { description: "See its content, change requests and comments." }),
    admin: t.exposeBoolean("admin", { description: "Change, move, transfer, delete and restore it." }),
    viewInviteLinks: t.exposeBoolean("viewInviteLinks", { description: "See its invite links." }),
    edit: t.exposeBoolean("edit", { description: "Edit its content; whether live is told by `editMode`." }),
    triggerGitSync: t.exposeBoolean("triggerGitSync", { description: "Start a synchronisation." }),
    comment: t.exposeBoolean("comment", { description: "Comment." }),
    merge: t.exposeBoolean("merge", { description: "Merge change requests." }),
    review: t.exposeBoolean("review", { description: "Review change requests." }),
  }),
});

const openVisibilities: readonly SpaceVisibilityValue[] = ["public", "unlisted"];

/** Where the published content of a space is; null for all but open ones, and for what is not published. */
export function publishedUrls(
  { id, visibility }: { id: string; visibility: SpaceVisibilityValue | null },
  publicUrl: string,
): { published: string | null; public: string | null } {
  const published = visibility && openVisibilities.includes(visibility) ? `${publicUrl}/published/${id}` : null;
  return { published, public: visibility === "public" ? published : null };
}

function spaceUrls(space: Pick<SpaceRow, "id" | "visibility">, publicUrl: string): Urls {
  return {
    location: `${publicUrl}/v1/spaces/${space.id}`,
    app: `${publicUrl}/app/spaces/${space.id}`,
    ...publishedUrls(space, publicUrl),
    icon: null,
  };
}

export const Space = builder.objectRef<SpaceRow>("Space").implement({
  description: "A body of documentation content.",
  interfaces: [Node, Resource],
  fields: (t) => ({
    object: t.string({ description: "Always `space`.", columns: [], resolve: () => "space" }),
    title: t.exposeString("title", { description: "Title, at most 50 characters." }),
    emoji: t.exposeString("emoji", { description: "An emoji, at most 50 characters." }),
    visibility: t.expose("visibility", { type: SpaceVisibility, description: "Who may view it." }),
    position: t.exposeString("position", {
      description:
        "Its place among the collections and spaces of the same parent, which are sorted by this text, byte by byte. It may change when others move.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was last changed." }),
    deletedAt: t.expose("deletedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was deleted; it is removed for good seven days later.",
    }),
    editMode: t.expose("editMode", { type: SpaceEditMode, description: "Whether its main content may be edited." }),
    organizationId: t.exposeID("organizationId", { description: "Id of the owning organization." }),
    parentId: t.exposeID("parentId", {
      nullable: true,
      description: "Id of the collection around it; null at the top.",
    }),
    revisionId: t.exposeID("revisionId", { description: "Id of the active revision of its main content." }),
    defaultLevel: t.expose("defaultLevel", {
      type: Role,
      nullable: true,
      description: "Default role of members on it; null leaves it to the collection around it.",
    }),
    gitSync: t.field({
      type: GitSync,
      nullable: true,
      description: "The repository that it is synchronised with.",
      columns: ["gitSync"],
      resolve: (space) => space.gitSync as GitSyncShape | null, // written only in this form
    }),
    visitorAuth: t.field({
      type: VisitorAuth,
      nullable: true,
      description: "How its visitors sign in.",
      columns: ["visitorAuthBackend"],
      resolve: ({ visitorAuthBackend: backend }) => backend && { backend },
    }),
    commentCount: t.exposeInt("commentCount", { description: "Open comments on its main content." }),
    changeRequestCount: t.int({
      description: "Change requests of any status.",
      columns: ["changeRequestCounts"],
      resolve: (space) => space.changeRequestCounts[0],
    }),
    openChangeRequestCount: t.int({
      description: "Open change requests.",
      columns: ["changeRequestCounts"],
      resolve: (space) => space.changeRequestCounts[1],
    }),
    draftChangeRequestCount: t.int({
      description: "Draft change requests.",
      columns: ["changeRequestCounts"],
      resolve: (space) => space.changeRequestCounts[2],
    }),
    urls: t.field({
      type: SpaceUrls,
      description: "Links.",
      columns: ["id", "visibility"],
      resolve: (space, _args, { publicUrl }) => spaceUrls(space, publicUrl),
    }),
    permissions: t.field({
      type: SpacePermissions,
      description: "What the viewer may do.",
      columns: spaceRoleColumns,
      resolve: (space, _args, { viewer }) => spacePermissions(viewer, space),
    }),
  }),
});

export const SpaceConnection = connectionOf(Space);

findNodesBy("Space", (context, id, wanted) => findSpace(context, id, wanted));
