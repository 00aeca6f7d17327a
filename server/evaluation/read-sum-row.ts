import type { StoredRow } from './ask-by-shape.ts'
import type { SumRow } from './modes/mode.ts'

/** Columns that tell rows apart: the others are sums. */
const keys: ReadonlySet<string> = new Set(['shape', 'bucket', 'day', 'hour', 'operator'])

/** A row of any mode's query; rows of days and hours have them as their bucket. */
export function readSumRow(row: StoredRow): SumRow {
  const bucket = row['bucket'] ?? row['day'] ?? row['hour'] ?? ''
  const sums: Record<string, number> = {}
  for (const name in row) if (!keys.has(name)) sums[name] = Number(row[name])
  return {
    shape: Number(row['shape']),
    bucket: String(bucket),
    operator: row['operator'] === undefined ? null : String(row['operator']),
    sums,
  }
}
