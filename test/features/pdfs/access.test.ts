// Permissions and tenant isolation of every PDF operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("pdfs");
