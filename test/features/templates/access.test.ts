// Permissions and tenant isolation of every template operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("templates");
