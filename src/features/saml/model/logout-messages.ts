// The messages of single logout that docgraph sends.
import { samlAddresses } from "#src/features/saml/model/addresses.ts";
import { newMessageId } from "#src/features/saml/model/request.ts";
import { escapeXml, namespaces } from "#src/features/saml/model/xml.ts";

interface Message {
  readonly at: Date;
  readonly publicUrl: string;
  readonly provider: { readonly id: string; readonly logoutURL: string };
}

const head = (name: string, { at, publicUrl, provider }: Message, more: string): string =>
  `<samlp:${name} xmlns:samlp="${namespaces.protocol}" xmlns:saml="${namespaces.assertion}" ID="${newMessageId()}" Version="2.0" ` +
  `IssueInstant="${at.toISOString()}" Destination="${escapeXml(provider.logoutURL)}"${more}>` +
  `<saml:Issuer>${escapeXml(samlAddresses(publicUrl, provider.id).entityID)}</saml:Issuer>`;

/** Notifies a provider that a person has signed out here. */
export const logoutRequest = (of: Message, who: { nameId: string; sessionIndex: string | null }): string =>
  `${head("LogoutRequest", of, "")}<saml:NameID>${escapeXml(who.nameId)}</saml:NameID>` +
  `${who.sessionIndex === null ? "" : `<samlp:SessionIndex>${escapeXml(who.sessionIndex)}</samlp:SessionIndex>`}</samlp:LogoutRequest>`;

/** Confirms the request of a provider. */
export const logoutResponse = (of: Message, requestId: string): string =>
  `${head("LogoutResponse", of, ` InResponseTo="${escapeXml(requestId)}"`)}<samlp:Status>` +
  `<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status></samlp:LogoutResponse>`;
