// Permissions and tenant isolation of every member operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("members");
