// Permissions and tenant isolation of every search operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("search");
