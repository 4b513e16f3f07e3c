// The addresses of docgraph for a SAML provider of an organization, and the service provider metadata there.
// Why not node-saml: it writes only one NameIDFormat and one logout binding; docgraph has two of each.
import { requestedFormat } from "#src/features/saml/model/person.ts";
import { escapeXml, namespaces } from "#src/features/saml/model/xml.ts";

export const samlPathStart = "/saml/";

const pathOf = (id: string, part: "metadata" | "start" | "acs" | "logout") => `${samlPathStart}${id}/${part}`;

/** The addresses of a provider. `publicUrl` is that of the gateway. */
export function samlAddresses(publicUrl: string, id: string) {
  return {
    entityID: publicUrl + pathOf(id, "metadata"),
    startURL: publicUrl + pathOf(id, "start"),
    acsURL: publicUrl + pathOf(id, "acs"),
    logoutURL: publicUrl + pathOf(id, "logout"),
  };
}

const bindings = "urn:oasis:names:tc:SAML:2.0:bindings";

export function serviceMetadata(publicUrl: string, id: string): string {
  const { entityID, acsURL, logoutURL } = samlAddresses(publicUrl, id);
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${namespaces.metadata}" entityID="${escapeXml(entityID)}">
  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${namespaces.protocol}">
    <md:SingleLogoutService Binding="${bindings}:HTTP-Redirect" Location="${escapeXml(logoutURL)}"/>
    <md:SingleLogoutService Binding="${bindings}:HTTP-POST" Location="${escapeXml(logoutURL)}"/>
    <md:NameIDFormat>${requestedFormat}</md:NameIDFormat>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:AssertionConsumerService Binding="${bindings}:HTTP-POST" Location="${escapeXml(acsURL)}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}
