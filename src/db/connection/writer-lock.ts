// How our transactions that may write events are told from everybody else's on the server: they hold a lock, which
// they share, from before they have an id. Nobody ever waits for it.

/** The key of the advisory lock: "docg". */
export const writerLockKey = 0x646f6367;

/** Takes the lock until the transaction ends. It has to come before anything that writes. */
export const takeWriterLock = `SELECT pg_advisory_xact_lock_shared(${writerLockKey})`;

/** The name of our sessions, where the address of the database does not give another one. */
export const sessionName = { fallback_application_name: "docgraph" };
