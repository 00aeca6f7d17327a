import { notInShape } from '#contract/evaluation.ts'
import type { ShapeFigures, SpatialResult } from '#contract/spatial.ts'
import { groupRows } from './group-rows.ts'
import { methodOf, type MapRows } from './spatial-maps.ts'
import { allShapes } from '#server/mobility/cubes/cube-columns.ts'

/** By how much sums of fractions may differ from their whole without saying anything. */
const slack = 1e-9

/** The answer of a map: every shape of the layer, NOT_IN_SHAPE, and the whole. */
export function buildSpatialAnswer(found: MapRows, milliseconds: number): SpatialResult {
  const { ask, mode, shapeIds, spans } = found
  const rowsOf = groupRows(found.rows)
  const span = spans.get('') ?? { days: 0, ms: 0 }
  const whole = rowsOf('', allShapes)
  const figures = (shape: number): ShapeFigures =>
    mode.figures(ask.aggregation, { rows: rowsOf('', shape), whole, span })
  const shape_data: Record<string, ShapeFigures> = { [notInShape]: figures(0) }
  for (const [at, id] of shapeIds.entries()) shape_data[id] = figures(at + 1)
  const total = mode.figures(ask.aggregation, { rows: whole, whole, span }).value
  const routeCounts = mode.routeCounts?.(ask.aggregation, whole)
  const sum = Object.values(shape_data).reduce((all, { value }) => all + (value ?? 0), 0)
  return {
    shape_data,
    total,
    mode: ask.mode,
    aggregation: ask.aggregation,
    unit: mode.unitOf(ask.aggregation),
    days: span.days,
    adds_up: mode.isMean(ask.aggregation) ? 'never' : sum > (total ?? 0) * (1 + slack) ? 'more' : 'exact',
    ...(routeCounts ? { ways: routeCounts } : {}),
    method: methodOf(found),
    milliseconds,
    from: found.from,
  }
}
