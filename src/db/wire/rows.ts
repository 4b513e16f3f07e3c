// stub
export interface Column { readonly name: string; readonly oid: number; readonly isBinary: boolean }
export class Rows {
  readonly columns: readonly Column[] = [];
  readonly count: number = 0; readonly width: number = 0;
  readonly bytes: Buffer = Buffer.alloc(0); readonly starts: Int32Array = new Int32Array(0); readonly lengths: Int32Array= new Int32Array(0);
  place(_name: string): number { return 0; }
  value(_row: number, _column: number): unknown { return null; }
  free(): void {}
}
