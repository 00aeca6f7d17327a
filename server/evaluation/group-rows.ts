import type { SumRow } from './modes/mode.ts'

const none: readonly SumRow[] = []

/** Rows by bucket, then by shape. */
export function groupRows(rows: readonly SumRow[]): (bucket: string, shape: number) => readonly SumRow[] {
  const groups = new Map<string, Map<number, SumRow[]>>()
  for (const row of rows) {
    let shapes = groups.get(row.bucket)
    if (!shapes) groups.set(row.bucket, (shapes = new Map<number, SumRow[]>()))
    const there = shapes.get(row.shape)
    if (there) there.push(row)
    else shapes.set(row.shape, [row])
  }
  return (bucket, shape) => groups.get(bucket)?.get(shape) ?? none
}
