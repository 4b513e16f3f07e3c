// Every field with arguments, of the root and of nodes, and every list of a node: that no other tenant is reached by
// it. Mutations and routes of /v1 are tried in the tables of features.
import { describe } from "vitest";
import { fieldsWithArguments } from "#test/support/access/operations.ts";
import { describeLists, describeTenants } from "#test/support/access/tenant-table.ts";

describe("fields with arguments treat ids of other tenants as missing", () => {
  describeTenants(fieldsWithArguments());
});
describe("lists of nodes contain nothing of other tenants", () => {
  describeLists();
});
