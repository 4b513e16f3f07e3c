// Permissions and tenant isolation of every grant operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("grants");
