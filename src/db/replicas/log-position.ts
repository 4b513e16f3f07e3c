// Positions in PostgreSQL's write-ahead log, by which it is told whether a replica has what somebody has written.

/** A position as PostgreSQL writes it (`pg_lsn`), such as `16/B374D848`; null for any other text. */
export function readLogPosition(text: string): bigint | null {
  const [, high, low] = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(text) ?? [];
  return high === undefined || low === undefined ? null : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** The text of a position. */
export function writeLogPosition(position: bigint): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();
}
