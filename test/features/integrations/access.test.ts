// Permissions and tenant isolation of every integration operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("integrations");
