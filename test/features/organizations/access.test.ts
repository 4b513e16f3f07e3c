// Permissions and tenant isolation of every organization operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("organizations");
