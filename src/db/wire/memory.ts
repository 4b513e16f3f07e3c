// stub
export function takeMemory(size: number): Buffer { return Buffer.allocUnsafe(Math.max(64, size)); }
export function giveMemory(_buffer: Buffer): void {}
