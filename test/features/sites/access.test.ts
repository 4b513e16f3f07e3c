// Permissions and tenant isolation of every site operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("sites");
