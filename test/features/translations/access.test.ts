// Permissions and tenant isolation of every translation operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("translations");
