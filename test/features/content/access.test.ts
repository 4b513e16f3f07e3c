// Permissions and tenant isolation of every content operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("content");
