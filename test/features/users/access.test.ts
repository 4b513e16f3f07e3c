// Permissions and tenant isolation of every user operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("users");
