// The one function of `pg` that its types lack: the conversion of parameter values.
declare module "pg/lib/utils.js" {
  const utils: {
    prepareValue(value: unknown): string | Buffer | null;
  };
  // oxlint-disable-next-line import/no-default-export -- a CommonJS module
  export default utils;
}
