// Permissions and tenant isolation of every review operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("reviews");
