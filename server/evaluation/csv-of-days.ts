import { notInShape } from '#contract/evaluation.ts'
import { bucketsOf } from './query-time.ts'
import { csvCell } from './csv-cell.ts'
import { groupRows } from './group-rows.ts'
import { allShapes } from '#server/mobility/cubes/cube-columns.ts'
import type { MapRows } from './spatial-maps.ts'

/** A map's values by local day as CSV, a piece of text a day: one line for each shape and for NOT_IN_SHAPE. Days that were not asked for are left out. */
export function* csvOfDays(found: MapRows, names: ReadonlyMap<string, string>): Generator<string> {
  const { ask, mode, shapeIds, spans } = found
  const rowsOf = groupRows(found.rows)
  const unit = mode.unitOf(ask.aggregation)
  const shapes = [
    ...shapeIds
      .map((id, at) => ({ id, name: names.get(id) ?? '', shape: at + 1 }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    { id: notInShape, name: notInShape, shape: 0 },
  ]
  const columns = Object.keys(
    mode.figures(ask.aggregation, { rows: [], whole: [], span: { days: 1, ms: 0 } }).counts,
  )
  yield `${['date', 'shape_uuid', 'shape_name', 'value', 'unit', 'n', ...columns].join(',')}\n`
  for (const day of bucketsOf(ask, 'day')) {
    const span = spans.get(day)
    if (!span) continue
    const whole = rowsOf(day, allShapes)
    let lines = ''
    for (const { id, name, shape } of shapes) {
      const { value, n, counts } = mode.figures(ask.aggregation, { rows: rowsOf(day, shape), whole, span })
      lines += `${[day, id, csvCell(name), value ?? '', unit, n, ...columns.map((column) => counts[column] ?? 0)].join(',')}\n`
    }
    yield lines
  }
}
