// What docgraph says of itself to an identity provider: the metadata of a service provider.
// Why not node-saml: it writes one NameIDFormat and one logout binding; here are two of each.
import { samlAddresses } from "#src/features/saml/model/addresses.ts";
import { escapeXml, namespaces } from "#src/features/saml/model/xml.ts";

const bindings = "urn:oasis:names:tc:SAML:2.0:bindings";

/** The metadata as XML, for the provider of an id. */
export function serviceMetadata(publicUrl: string, id: string): string {
  const { entityID, acsURL, logoutURL } = samlAddresses(publicUrl, id);
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${namespaces.metadata}" entityID="${escapeXml(entityID)}">
  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${namespaces.protocol}">
    <md:SingleLogoutService Binding="${bindings}:HTTP-Redirect" Location="${escapeXml(logoutURL)}"/>
    <md:SingleLogoutService Binding="${bindings}:HTTP-POST" Location="${escapeXml(logoutURL)}"/>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:AssertionConsumerService Binding="${bindings}:HTTP-POST" Location="${escapeXml(acsURL)}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}
