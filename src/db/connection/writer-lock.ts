// The advisory lock that our event-writing transactions share from before they have an id; nobody ever waits for it.

/** The key of the advisory lock: "docg". */
export const writerLockKey = 0x646f6367;

/** Takes the lock until the transaction ends; may select more. It has to come before anything that writes. */
export const takeWriterLock = `SELECT pg_advisory_xact_lock_shared(${writerLockKey})`;

/** The name of our sessions, unless the address of the database sets another one. */
export const sessionName = { fallback_application_name: "docgraph" };
