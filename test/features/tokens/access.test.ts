// Permissions and tenant isolation of every token operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("tokens");
