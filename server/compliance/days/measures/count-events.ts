import { setImmediate as turn } from 'node:timers/promises'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import { createBorderTest, findCellsNearBorder } from '../border.ts'
import { type DayFigure, createQueryOptions, type MeasureInput, toWindowSlots } from '../measure-input.ts'
import { inAreas } from '#server/geography/membership/face-sql.ts'
import { shapeRows } from '../queries/by-shape.ts'
import { momentRowsInSlots } from '../queries/time-slots.ts'

/** Counts of events. Places are listed only of violations that may be too close to a border. */
interface EventCountRow {
  /** Number of the window, from 1. */
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

/** Builds SQL for events with time and place, once per window (`w`, from 1) and shape that contains them. */
export const placedEventRows = ({ filter, rule, windows, indexes }: MeasureInput, events: Sql): Sql =>
  shapeRows(
    inAreas(momentRowsInSlots(events, toWindowSlots(windows, filter.now)), indexes),
    rule.places === 'union',
  )

/** Builds the SQL condition for places near borders, which may be uncertain. Only those need to be read. */
function uncertainCondition(rule: MeasureInput['rule']): Sql {
  const borderCells = findCellsNearBorder(rule)
  if (!borderCells) return sql`true`
  const bindFloat = (value: number): Sql => sql`${bind('Float64', value)}`
  // Cell numbers are computed as floats, because an unknown place (NaN) then equals no cell.
  const row = sql`floor((lat - ${bindFloat(borderCells.south)}) / ${bindFloat(borderCells.size)})`
  const column = sql`floor((lon - ${bindFloat(borderCells.west)}) / ${bindFloat(borderCells.size)})`
  const cell = sql`${row} * ${bindFloat(borderCells.columns)} + ${column}`
  return sql`(
    accuracy > ${bindFloat(borderCells.meters)}
    or ${cell} in (select arrayJoin(${bind('Array(Float64)', borderCells.cells)}))
  )`
}

/**
 * Counts events by window, operator and shape.
 * @param breaks SQL condition of events that violate the rule.
 * @param opens SQL condition of events that may still become violations.
 */
export async function countEvents(
  input: MeasureInput,
  events: Sql,
  breaks: Sql,
  opens = sql`0`,
): Promise<DayFigure[]> {
  const { facts, scope, rule, signal } = input
  const isNearBorder = createBorderTest(rule)
  const evaluatedEvents = sql`
    select *, ${breaks} as breaks, breaks and accuracy > 0 and ${uncertainCondition(rule)} as is_known
    from (${placedEventRows(input, events)})`
  const rows = await facts.rows<EventCountRow>(
    scope,
    sql`
    select
      w, operator, shape, countIf(breaks) as events, uniqExactIf(device_id, breaks) as vehicles,
      max(${opens}) as open,
      groupArrayIf(lon, is_known) as lons, groupArrayIf(lat, is_known) as lats, groupArrayIf(accuracy, is_known) as accuracies
    from (${evaluatedEvents}) group by w, operator, shape`,
    createQueryOptions(signal),
  )
  const figures: DayFigure[] = []
  for (const { w, operator, shape, events: count, vehicles, lons, lats, accuracies, open } of rows) {
    let uncertain = 0
    for (const [index, accuracy] of accuracies.entries())
      if (isNearBorder(shape, lons[index] as number, lats[index] as number, accuracy)) uncertain++
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
