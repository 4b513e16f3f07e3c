// What is thrown where a plan does not fit: the operation then runs field by field.

/** The reason is for whoever looks for it; callers never see it. */
export class Unfit extends Error {}
