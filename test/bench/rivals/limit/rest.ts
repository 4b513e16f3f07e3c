// From rows to the documented REST answer, written out by hand.

export interface RestRow {
  id: string;
  title: string;
  emoji: string;
  visibility: string;
  createdAt: Date;
  updatedAt: Date;
  editMode: string;
  organizationId: string;
  parentId: string | null;
  revisionId: string;
  defaultLevel: string | null;
  gitSync: object | null;
  visitorAuthBackend: string | null;
  commentCount: number;
  changeRequestCount: number;
  openChangeRequestCount: number;
  draftChangeRequestCount: number;
  role: string | null;
}

export interface RestListRow extends RestRow {
  position: string;
  total: number;
}

const ranks = ["read", "comment", "edit", "review", "create", "admin"];

function permissions(role: string) {
  const rank = ranks.indexOf(role);
  const admin = rank >= 5;
  const review = rank >= 3;
  return {
    view: true,
    access: true,
    admin,
    viewInviteLinks: admin,
    edit: rank >= 2,
    triggerGitSync: admin,
    comment: rank >= 1,
    merge: review,
    review,
    installIntegration: admin,
  };
}

const base = process.env["PUBLIC_URL"] ?? "http://127.0.0.1:4000";

export function listItem(row: RestRow) {
  const { id, visibility, parentId, gitSync, visitorAuthBackend, role } = row;
  const published = visibility === "public" || visibility === "unlisted" ? `${base}/published/${id}` : undefined;
  return {
    object: "space",
    id,
    title: row.title,
    emoji: row.emoji,
    visibility: visibility.replace("_", "-"),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    editMode: row.editMode,
    mergeRules: { type: "none" },
    organization: row.organizationId,
    parent: parentId ?? undefined,
    revision: row.revisionId,
    defaultLevel: row.defaultLevel,
    gitSync: gitSync ?? undefined,
    visitorAuth: visitorAuthBackend === null ? undefined : { backend: visitorAuthBackend },
    comments: row.commentCount,
    changeRequests: row.changeRequestCount,
    changeRequestsOpen: row.openChangeRequestCount,
    changeRequestsDraft: row.draftChangeRequestCount,
    urls: {
      location: `${base}/v1/spaces/${id}`,
      app: `${base}/app/spaces/${id}`,
      published,
      public: visibility === "public" ? published : undefined,
    },
    permissions: role === null ? undefined : permissions(role),
  };
}

export function restSpaceList(rows: RestListRow[]) {
  const last = rows.length > 50 ? rows[49] : undefined;
  const next = last && { page: Buffer.from(`${last.position},${last.id}`).toString("base64url") };
  return { items: rows.slice(0, 50).map(listItem), count: rows[0]?.total, next };
}
