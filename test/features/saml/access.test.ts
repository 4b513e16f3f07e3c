// Permissions and tenant isolation of every SAML operation.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("saml");
