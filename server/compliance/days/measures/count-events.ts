import { setImmediate as turn } from 'node:timers/promises'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import { borderOf, cellsNearBorder } from '../border.ts'
import { type DayFigure, limits, type Measuring, slotsOf } from '../measuring.ts'
import { inAreas } from '#server/geography/membership/face-sql.ts'
import { byShape } from '../queries/by-shape.ts'
import { momentsInSlots } from '../queries/time-slots.ts'

/** Counts of events; places only of those that break the rule and may be too close to the border for their accuracy. */
interface Row {
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

/** Events with a time and place, in each window and shape; `w` starts at 1. */
export const placedEvents = ({ filter, rule, windows, indexes }: Measuring, events: Sql): Sql =>
  byShape(inAreas(momentsInSlots(events, slotsOf(windows, filter.now)), indexes), rule.places === 'union')

/** Whether a place may be uncertain. Places far from every border need not be read one by one. */
function mayBeNear(rule: Measuring['rule']): Sql {
  const near = cellsNearBorder(rule)
  if (!near) return sql`true`
  const of = (value: number): Sql => sql`${bind('Float64', value)}`
  // Integers as doubles: an unknown place is in no cell.
  const cell = sql`floor((lat - ${of(near.south)}) / ${of(near.size)}) * ${of(near.columns)} + floor((lon - ${of(near.west)}) / ${of(near.size)})`
  return sql`(accuracy > ${of(near.meters)} or ${cell} in (select arrayJoin(${bind('Array(Float64)', near.cells)})))`
}

/** Counts events with a true `breaks` by window, operator and shape; `opens` marks those that may still become violations. */
export async function countEvents(
  measuring: Measuring,
  events: Sql,
  breaks: Sql,
  opens = sql`0`,
): Promise<DayFigure[]> {
  const { facts, scope, rule, signal } = measuring
  const border = borderOf(rule)
  const placed = sql`select *, ${breaks} as breaks, breaks and accuracy > 0 and ${mayBeNear(rule)} as is_known from (${placedEvents(measuring, events)})`
  const rows = await facts.rows<Row>(
    scope,
    sql`
    select w, operator, shape, countIf(breaks) as events, uniqExactIf(device_id, breaks) as vehicles, max(${opens}) as open,
      groupArrayIf(lon, is_known) as lons, groupArrayIf(lat, is_known) as lats, groupArrayIf(accuracy, is_known) as accuracies
    from (${placed}) group by w, operator, shape`,
    { ...limits, ...(signal ? { signal } : {}) },
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
