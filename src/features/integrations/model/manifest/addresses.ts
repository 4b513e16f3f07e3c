// The addresses of the images of integrations, which need no token.

/** Where the images of an integration are, below the address of the gateway. */
export const imagesPath = (id: string): string => `/integrations/${id}/images/`;

/** `/integrations/<id>/images/<sha>`. */
export const imageAddress = /^\/integrations\/(int_\w+)\/images\/([0-9a-f]{64})$/;
