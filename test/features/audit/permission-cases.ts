// The audit log in the access table.

/** Nodes that the access table leaves out, with the test that covers them for every role. */
export const nodes = { AuditEntry: "audit.test.ts: visible to admins only" };

export const permissionCases = [];
