import type { AliasTable } from './alias-table.ts'

/** An index of the table for a number in [0, 1). */
export function drawIndex({ keep, other }: AliasTable, random: number): number {
  const scaled = random * keep.length
  const index = scaled | 0
  return scaled - index < keep[index]! ? index : other[index]!
}
