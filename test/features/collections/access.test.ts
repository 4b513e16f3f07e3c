// Permissions and tenant isolation of every collection operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("collections");
