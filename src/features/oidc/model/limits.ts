// The limits of the settings of an OpenID provider, in characters.

export const oidcLimits = {
  label: { min: 1, max: 30 },
  clientId: { min: 1, max: 255 },
  clientSecret: { min: 1, max: 1024 },
} as const;
