import type { DrawnLine } from './drawn-line.ts'

/** Whether one can ride along the line. */
export function isStreet(line: DrawnLine): boolean {
  return line.kind !== 'shore' && line.kind !== 'limit'
}
