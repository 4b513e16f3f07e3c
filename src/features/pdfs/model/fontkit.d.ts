// The one function of fontkit that is needed: which characters a font has. It comes without types.
declare module "fontkit" {
  export function create(bytes: Uint8Array): { readonly characterSet: readonly number[] };
}
