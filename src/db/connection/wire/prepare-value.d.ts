// The one function of `pg` that is needed beside its types: how it writes the values of parameters.
declare module "pg/lib/utils.js" {
  const utils: {
    prepareValue(value: unknown): string | Buffer | null;
  };
  // oxlint-disable-next-line import/no-default-export -- a CommonJS module
  export default utils;
}
