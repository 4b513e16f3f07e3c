// The audit log in the access table.

/** Nodes that the access table leaves out, and where they are tested for everybody. */
export const nodes = { AuditEntry: "audit.test.ts: only admins see them" };

export const permissionCases = [];
