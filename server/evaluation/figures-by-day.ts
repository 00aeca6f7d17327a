import { notInShape } from '#contract/evaluation.ts'
import type { ShapeFigures } from '#contract/spatial.ts'
import { groupRows } from './group-rows.ts'
import { allShapes } from '#server/mobility/cubes/cube-columns.ts'
import type { MapRows } from './spatial-maps.ts'

/** Day -> shape uuid (or NOT_IN_SHAPE) -> figures; days and shapes without facts are left out. */
export function figuresByDay(found: MapRows): Record<string, Record<string, ShapeFigures>> {
  const { ask, mode, shapeIds, spans } = found
  const rowsOf = groupRows(found.rows)
  const byDay: Record<string, Record<string, ShapeFigures>> = {}
  for (const { bucket: day, shape } of found.rows) {
    const span = spans.get(day)
    if (shape === allShapes || !span) continue
    const id = shapeIds[shape - 1] ?? notInShape
    ;(byDay[day] ??= {})[id] ??= mode.figures(ask.aggregation, {
      rows: rowsOf(day, shape),
      whole: rowsOf(day, allShapes),
      span,
    })
  }
  return byDay
}
