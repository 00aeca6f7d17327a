import { notInShape, type ShapeCounts, type TripAggregation } from '#contract/evaluation.ts'
import type { ShapeRow } from './queries/trips-by-shape.ts'

/** What an aggregation takes from a row: its value (null: has none) and how many trips it rests on. `days` is what daily ones divide by. */
const values: Record<TripAggregation, (row: ShapeRow, days: number) => { value: number | null; n: number }> = {
  origins: (row) => ({ value: Number(row.orig), n: Number(row.orig) }),
  destinations: (row) => ({ value: Number(row.dest), n: Number(row.dest) }),
  daily_origins: (row, days) => ({ value: days ? Number(row.orig) / days : null, n: Number(row.orig) }),
  daily_destinations: (row, days) => ({ value: days ? Number(row.dest) / days : null, n: Number(row.dest) }),
  orig_or_dest: (row) => ({ value: Number(row.either), n: Number(row.either) }),
  average_origin_distance: (row) => mean(row.orig_metres, row.orig_measured),
  average_destination_distance: (row) => mean(row.dest_metres, row.dest_measured),
}

const mean = (metres: number, measured: string): { value: number | null; n: number } => {
  const n = Number(measured)
  return { value: n ? metres / n : null, n }
}

/** A row as the API answers it. */
export const shapeCounts = (row: ShapeRow, aggregation: TripAggregation, days: number): ShapeCounts => ({
  orig: Number(row.orig),
  dest: Number(row.dest),
  count: Number(row.either),
  ...values[aggregation](row, days),
})

/** Key of a row: the shape's id, or NOT_IN_SHAPE. */
export const keyOf = (row: ShapeRow, shapeIds: readonly string[]): string => shapeIds[row.shape - 1] ?? notInShape

export const emptyRow: ShapeRow = { shape: 0, orig: '0', dest: '0', either: '0', orig_measured: '0', dest_measured: '0', orig_metres: 0, dest_metres: 0 }
