// What a run could not translate, as it is kept with the translation.

export interface Warning {
  /** The title of the page in the source. */
  readonly page: string;
  readonly message: string;
}

/** How many are kept. */
export const warningLimit = 100;
