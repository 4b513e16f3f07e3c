// Types of the used part of s3rver, which has none.
declare module "s3rver" {
  interface Options {
    readonly address: string;
    readonly port: number;
    readonly silent: boolean;
    readonly directory: string;
    readonly configureBuckets: readonly { readonly name: string }[];
  }

  export default class S3rver {
    constructor(options: Options);
    /** Starts listening; returns the address. */
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
