// What is used of s3rver, which comes without types.
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
    /** Starts listening; answers the address. */
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
