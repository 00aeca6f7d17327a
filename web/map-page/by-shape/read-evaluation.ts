import { notInShape } from '#contract/evaluation.ts'
import type { Shape } from '#contract/geography.ts'
import type { ShapeFigures, SpatialResult, SpatialUnit } from '#contract/spatial.ts'
import { toDistanceUnit } from '#contract/units.ts'
import type { Evaluation, EvaluationRow, ShownUnit } from './evaluation.ts'
import { sumKind, sumOf } from './sum-of.ts'

export type NamedShape = Pick<Shape, 'shape_uuid' | 'shape_name'>

/** Counts in minutes. */
const minuteCounts: readonly string[] = ['total_parked_duration']

/** The unit in which values are shown. */
export const readUnit = (unit: SpatialUnit | ShownUnit): ShownUnit => (unit === 'minutes' ? 'hours' : unit)

/** A value in the unit of the region. */
export function readValue(
  value: number | null,
  unit: SpatialUnit | ShownUnit,
  isMetric: boolean,
): number | null {
  if (value === null) return null
  return unit === 'meters' ? toDistanceUnit(value, isMetric) : unit === 'minutes' ? value / 60 : value
}

/** The counts beside a value; minutes are converted to hours, like the value. */
export const readCounts = (counts: ShapeFigures['counts']): ShapeFigures['counts'] =>
  Object.fromEntries(
    Object.entries(counts).map(([key, count]) => [key, minuteCounts.includes(key) ? count / 60 : count]),
  )

/** The server's numbers as an evaluation of the layer's shapes. Shapes that are missing in the response are left out. */
export function readEvaluation(
  answer: SpatialResult,
  shapes: readonly NamedShape[],
  isMetric: boolean,
): Evaluation {
  const read = (value: number | null): number | null => readValue(value, answer.unit, isMetric)
  const row = (id: string, name: string, { value, n, counts }: ShapeFigures): EvaluationRow => ({
    id,
    name,
    value: read(value),
    n,
    counts: readCounts(counts),
  })
  const rows = shapes.flatMap(({ shape_uuid, shape_name }) => {
    const figures = answer.shape_data[shape_uuid]
    return figures ? [row(shape_uuid, shape_name, figures)] : []
  })
  const outside = answer.shape_data[notInShape]
  const left = outside ? row(notInShape, '', outside) : null
  const total = read(answer.total)
  return {
    rows,
    notInShape: left,
    total,
    byShape: new Map(rows.map((each) => [each.id, each])),
    unit: readUnit(answer.unit),
    days: answer.days,
    sum: sumOf(sumKind(answer.adds_up, answer.aggregation), rows, left?.value ?? null, total),
    ways: answer.ways,
    method: answer.method,
    milliseconds: answer.milliseconds,
    from: answer.from,
  }
}
