import type { SumRow } from './mode.ts'

/** One of the sums over rows; 0 where there is none. */
export const sumOf = (rows: readonly SumRow[], name: string): number =>
  rows.reduce((sum, row) => sum + (row.sums[name] ?? 0), 0)
