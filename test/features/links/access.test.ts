// Permissions and tenant isolation of every link operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("links");
