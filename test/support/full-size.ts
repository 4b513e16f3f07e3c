// The size of tests that take long at their full size: small in `npm test`, full in `npm run prove -- --only tests`.

export const isFullSize = process.env["FULL_SIZE"] === "1";

/** How much of something a test takes. */
export const sized = <Size>(small: Size, full: Size): Size => (isFullSize ? full : small);
