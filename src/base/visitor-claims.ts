// The claims of a published site's visitor.

/** Claims by name; only `true` and `false` count. `unsigned` holds the visitor's own claims, passed on by the token. */
export interface Claims {
  readonly [name: string]: unknown;
}
