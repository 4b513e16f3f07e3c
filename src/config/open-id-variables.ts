// The environment variables of the OpenID provider by which everybody may sign in.
import { z } from "zod";
import { variable } from "#src/config/variable.ts";

export const openIdVariables = {
  OIDC_ISSUER: variable({
    schema: z.url({ protocol: /^https?$/ }).optional(),
    about:
      "The issuer of an OpenID provider by which everybody may sign in to this gateway, who gets an account at the first sign-in. Register PUBLIC_URL with /oidc/gateway/callback there. If unset, only organizations have single sign-on.",
    wants: "an address like https://login.example.com",
  }),
  OIDC_CLIENT_ID: variable({
    schema: z.string().max(255).optional(),
    about: "The client id of docgraph at OIDC_ISSUER.",
    wants: "a text of at most 255 characters",
  }),
  OIDC_CLIENT_SECRET: variable({
    schema: z.string().max(1024).optional(),
    about: "The client secret of docgraph at OIDC_ISSUER, if it has one.",
    wants: "a text of at most 1024 characters",
    isSecret: true,
  }),
  OIDC_LABEL: variable({
    schema: z.string().max(30),
    fallback: "Single sign-on",
    about: "The name of OIDC_ISSUER on the sign-in page.",
    wants: "a text of at most 30 characters",
  }),
};
