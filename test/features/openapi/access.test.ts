// Permissions and tenant isolation of every OpenAPI operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("openapi");
