// The limits of the settings of a SAML provider (spec 1, section 8).

/** In characters. */
export const samlLimits = {
  label: { min: 1, max: 30 },
  entityID: { min: 1, max: 1024 },
  certificate: { min: 1, max: 10_000 },
} as const;

/** The limit of characters of a provider's metadata. */
export const maxMetadata = 500_000;
