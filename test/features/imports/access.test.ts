// Permissions and tenant isolation of every import operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("imports");
