// Permissions and tenant isolation of every space operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("spaces");
