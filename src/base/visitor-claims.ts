// What is known of the visitor of a published site.

/**
 * What a visitor's token says of them, by name: only `true` and `false` count. `unsigned` holds what they say of
 * themselves, which the token passes on: there is no way to give claims beside a token.
 */
export interface Claims {
  readonly [name: string]: unknown;
}
