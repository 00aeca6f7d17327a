import { setImmediate as turn } from 'node:timers/promises'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import { createBorderTest, findCellsNearBorder } from '../border.ts'
import { type DayFigure, limitQuery, type MeasureInput, toWindowSlots } from '../measure-input.ts'
import { inAreas } from '#server/geography/membership/face-sql.ts'
import { byShape } from '../queries/by-shape.ts'
import { momentsInSlots } from '../queries/time-slots.ts'

/** Counts of events. Places are listed only of violations that may be too close to a border. */
interface EventCountRow {
  w: number
  operator: string
  shape: number
  events: string
  vehicles: string
  lons: number[]
  lats: number[]
  accuracies: number[]
  open: number
}

/** Selects events with time and place, once per window and shape that contains them. `w` starts at 1. */
export const placedEvents = ({ filter, rule, windows, indexes }: MeasureInput, events: Sql): Sql =>
  byShape(
    inAreas(momentsInSlots(events, toWindowSlots(windows, filter.now)), indexes),
    rule.places === 'union',
  )

/**
 * Builds the SQL condition whether a place may be uncertain. Places far from all borders are excluded, so
 * they need not be read.
 */
function mayBeUncertain(rule: MeasureInput['rule']): Sql {
  const borderCells = findCellsNearBorder(rule)
  if (!borderCells) return sql`true`
  const float = (value: number): Sql => sql`${bind('Float64', value)}`
  // Cell numbers are computed as floats, because an unknown place (NaN) then equals no cell.
  const row = sql`floor((lat - ${float(borderCells.south)}) / ${float(borderCells.size)})`
  const column = sql`floor((lon - ${float(borderCells.west)}) / ${float(borderCells.size)})`
  const cell = sql`${row} * ${float(borderCells.columns)} + ${column}`
  return sql`(
    accuracy > ${float(borderCells.meters)}
    or ${cell} in (select arrayJoin(${bind('Array(Float64)', borderCells.cells)}))
  )`
}

/**
 * Counts events by window, operator and shape. `breaks`: SQL condition of those that violate the rule.
 * `opens`: SQL condition of those that may still become violations.
 */
export async function countEvents(
  input: MeasureInput,
  events: Sql,
  breaks: Sql,
  opens = sql`0`,
): Promise<DayFigure[]> {
  const { facts, scope, rule, signal } = input
  const border = createBorderTest(rule)
  const placed = sql`
    select *, ${breaks} as breaks, breaks and accuracy > 0 and ${mayBeUncertain(rule)} as is_known
    from (${placedEvents(input, events)})`
  const rows = await facts.rows<EventCountRow>(
    scope,
    sql`
    select
      w, operator, shape, countIf(breaks) as events, uniqExactIf(device_id, breaks) as vehicles,
      max(${opens}) as open,
      groupArrayIf(lon, is_known) as lons, groupArrayIf(lat, is_known) as lats, groupArrayIf(accuracy, is_known) as accuracies
    from (${placed}) group by w, operator, shape`,
    limitQuery(signal),
  )
  const figures: DayFigure[] = []
  for (const { w, operator, shape, events: count, vehicles, lons, lats, accuracies, open } of rows) {
    let uncertain = 0
    for (const [index, accuracy] of accuracies.entries())
      if (border(shape, lons[index] as number, lats[index] as number, accuracy)) uncertain++
    figures.push({
      day: w - 1,
      operator,
      shape,
      measured: Number(count),
      vehicles: Number(vehicles),
      uncertain,
      open: Number(open) > 0,
    })
    if (accuracies.length) await turn()
  }
  return figures
}
