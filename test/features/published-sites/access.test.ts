// Permissions and tenant isolation of every published site operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("published-sites");
