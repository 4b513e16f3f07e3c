// Permissions and tenant isolation of every comment operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("comments");
