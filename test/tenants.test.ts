// Tenant isolation of every field with arguments, of the root and of nodes, and of every list of a node. Mutations and
// /v1 routes are tested in the tests of features.
import { describe } from "vitest";
import { fieldsWithArguments } from "#test/support/access/operations.ts";
import { describeLists, describeTenants } from "#test/support/access/tenant-table.ts";

describe("fields with arguments treat ids of other tenants as missing", () => {
  describeTenants(fieldsWithArguments());
});
describe("lists of nodes contain nothing of other tenants", () => {
  describeLists();
});
