// Swagger UI over the description of /v1, with the token of the page.
import { headers } from "./asking.js";
import "./who.js";

/* global SwaggerUIBundle -- its script comes before this one */

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#swagger",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    // The description names PUBLIC_URL; this page asks the gateway that it came from.
    const { pathname, search } = new URL(request.url, location.href);
    return { ...request, url: `${location.origin}${pathname}${search}`, headers: { ...headers(), ...request.headers } };
  },
});
