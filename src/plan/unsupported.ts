// What is thrown where a plan does not fit: the operation then runs field by field.

/** The reason is for whoever looks for it; callers never see it. */
export class Unfit extends Error {}

/** Thrown where writing takes long: it is to begin anew, with pauses. */
export class TooLongError extends Error {
  override readonly name = "TooLongError";
}
