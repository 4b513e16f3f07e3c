// A fixed certificate whose private key does not exist.

export const exampleCertificate = `-----BEGIN CERTIFICATE-----
MIICsTCCAZmgAwIBAgIBATANBgkqhkiG9w0BAQsFADAaMRgwFgYDVQQDDA9pZHAu
ZXhhbXBsZS5jb20wIhgPMjAyMDAxMDEwMDAwMDBaGA8yMTAwMDEwMTAwMDAwMFow
GjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMIIBIjANBgkqhkiG9w0BAQEFAAOC
AQ8AMIIBCgKCAQEA5UZdzH/W96wRVTA9g/QiGEe6ABCPSD1DMRpOuDPVpsojHuD4
7e6RzQ4af0H2fNZETTpLdAf2BoAAMv87vhk6BAvcHCme6ZTvwZroRwCQU+eEI6iw
IxqZOuZAd0NUBC+9WomXSK2e1rp2nYXXupHG4pEg/uwmC77uGx2DvC1T/M4nFJID
PNSJ8XAve3ytPeFsBx4jtr4K5myOaCFYtXp4AzJbXAILwDgfna4h5RrOgcXhx9r7
mKYr7FrpHCMjSmMNXuFrLzphKSfcYEuM8qXqDSVNqcq+8QptTmrXDCyLV/TzDtE9
OuRWP0rQ9xBrHh86EpTyvzlu/XAsH9UPo4oIvQIDAQABMA0GCSqGSIb3DQEBCwUA
A4IBAQBFVX9/IJSol0+4UikIHIY9pDMfPsA0Bgs8JatLzhbgAINjLxcUAxAKGlPF
r38HvWGPKgIo63HEafsEGw6fYglDRIlTni1nRcbnLsbsP3LkdBJZnXyWE82mmFKq
EURfteFzcgypFCSLdWiIPLX/Cyu04HClbd5dRN0gftS4TAJMPrAcXx/h0d8+BXhj
OYfgPHTLvRjhkne5D0XsgZtObvFt1nHPoF8JY0jgvgLHF+8guEYP6ikC9CBdyQCL
nGLzBULdRuBgXMrWkVKA/CTzoY8TV/EaWNQ+oV4+VsRayrxEjjaWDniredX8N155
bPXub4K5edPlyKjN+mSzhtcIhCjj
-----END CERTIFICATE-----
`;

/** Metadata of a provider with it. */
export const exampleMetadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com/metadata">
<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
<X509Certificate>${exampleCertificate.replaceAll(/-----[^-]+-----/g, "")}</X509Certificate>
</X509Data></KeyInfo></KeyDescriptor>
<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/slo"/>
<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/>
</IDPSSODescriptor>
</EntityDescriptor>`;
