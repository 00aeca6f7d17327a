import { notInShape } from '#contract/evaluation.ts'
import type { Shape } from '#contract/geography.ts'
import type { ShapeFigures, SpatialResult, SpatialUnit } from '#contract/spatial.ts'
import { toDistanceUnit } from '#contract/units.ts'
import type { Evaluation, EvaluationRow, ShownUnit } from './evaluation.ts'
import { getSumKind, sumRows } from './sum-rows.ts'

export type NamedShape = Pick<Shape, 'shape_uuid' | 'shape_name'>

/** Keys of counts in minutes. */
const minuteCounts: readonly string[] = ['total_parked_duration']

/** Returns the unit of a value that `readValue` converted. */
export const readUnit = (unit: SpatialUnit | ShownUnit): ShownUnit => (unit === 'minutes' ? 'hours' : unit)

/** Converts a value of the server: minutes to hours, meters to kilometers or miles. */
export function readValue(
  value: number | null,
  unit: SpatialUnit | ShownUnit,
  isMetric: boolean,
): number | null {
  if (value === null) return null
  if (unit === 'meters') return toDistanceUnit(value, isMetric)
  return unit === 'minutes' ? value / 60 : value
}

/** Returns the counts of a shape; minutes are converted to hours, like values. */
export const readCounts = (counts: ShapeFigures['counts']): ShapeFigures['counts'] =>
  Object.fromEntries(
    Object.entries(counts).map(([key, count]) => [key, minuteCounts.includes(key) ? count / 60 : count]),
  )

/** Converts a response to an evaluation of the layer's shapes; shapes without figures are left out. */
export function readEvaluation(
  response: SpatialResult,
  shapes: readonly NamedShape[],
  isMetric: boolean,
): Evaluation {
  const convertValue = (value: number | null): number | null => readValue(value, response.unit, isMetric)
  const toRow = (id: string, name: string, { value, n, counts }: ShapeFigures): EvaluationRow => ({
    id,
    name,
    value: convertValue(value),
    n,
    counts: readCounts(counts),
  })
  const rows = shapes.flatMap(({ shape_uuid, shape_name }) => {
    const figures = response.shape_data[shape_uuid]
    return figures ? [toRow(shape_uuid, shape_name, figures)] : []
  })
  const outside = response.shape_data[notInShape]
  const outsideRow = outside ? toRow(notInShape, '', outside) : null
  const total = convertValue(response.total)
  return {
    rows,
    notInShape: outsideRow,
    total,
    byShape: new Map(rows.map((row) => [row.id, row])),
    unit: readUnit(response.unit),
    days: response.days,
    sum: sumRows(getSumKind(response.adds_up, response.aggregation), rows, outsideRow?.value ?? null, total),
    ways: response.ways,
    method: response.method,
    milliseconds: response.milliseconds,
    from: response.from,
  }
}
