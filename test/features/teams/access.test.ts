// Permissions and tenant isolation of every team operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("teams");
