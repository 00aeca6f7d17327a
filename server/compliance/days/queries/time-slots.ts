import { dayMs, hourMs } from '#contract/period.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'

/** Half-open time ranges in order, ms, about one per `step`. Empty ones are ignored. */
export interface TimeSlots {
  from: readonly number[]
  until: readonly number[]
  step: number
}

export const dayStep = dayMs
export const hourStep = hourMs

const int64Array = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`
const int64 = (value: number): Sql => sql`${bind('Int64', String(value))}`

/**
 * Selects the numbers of the slots for which `condition` is true, among those near a row's time. Clock
 * changes and windows over midnight shift a slot by less than two steps, so only the nearest are tested.
 */
const findSlots = ({ from, step }: TimeSlots, begins: Sql, ends: Sql, condition: Sql): Sql => {
  const slotNumber = (moment: Sql): Sql => sql`intDiv(${moment} - ${int64(from[0] ?? 0)}, ${int64(step)})`
  return sql`
    arrayFilter(
      w -> ${condition},
      range(
        toUInt32(greatest(1, ${slotNumber(begins)} - 2)),
        toUInt32(least(${int64(from.length)}, ${slotNumber(ends)} + 3) + 1)
      )
    )`
}

/**
 * Builds the SQL of rows once per slot that they overlap, with the number of the slot (`w`, from 1) and the
 * overlap `part_begins` to `part_ends`. The rows need `begins` and `ends` in ms.
 */
export function spansInSlots(rows: Sql, slots: TimeSlots): Sql {
  const { from, until } = slots
  const [opens, closes] = [
    sql`arrayElement(${int64Array(from)}, w)`,
    sql`arrayElement(${int64Array(until)}, w)`,
  ]
  return sql`
  select *, greatest(begins, ${opens}) as part_begins, least(ends, ${closes}) as part_ends
  from (
    select
      *,
      arrayJoin(
        ${findSlots(slots, sql`begins`, sql`ends`, sql`begins < ${closes} and ends > ${opens}`)}
      ) as w
    from (${rows})
    where begins < ${int64(Math.max(0, ...until))} and ends > ${int64(from[0] ?? 0)} and ends > begins
  )`
}

/** Selects rows with the number `w` of the slot that contains `begins` (ms). Slots must not overlap. */
export function momentsInSlots(rows: Sql, { from, until }: TimeSlots): Sql {
  const openIndices = from.flatMap((begin, index) => ((until[index] as number) > begin ? [index] : []))
  if (!openIndices.length) return sql`select *, toUInt32(0) as w from (${rows}) where false`
  const froms = openIndices.map((index) => from[index] as number)
  const untils = openIndices.map((index) => until[index] as number)
  // The latest start before the moment, by binary search.
  const begin = sql`roundDown(begins, ${int64Array(froms)})`
  return sql`
  select
    *,
    transform(
      ${begin}, ${int64Array(froms)}, ${int64Array(openIndices.map((index) => index + 1))},
      toInt64(0)
    )::UInt32 as w
  from (${rows})
  where begins >= ${int64(froms[0] as number)}
    and begins < transform(${begin}, ${int64Array(froms)}, ${int64Array(untils)}, toInt64(0))`
}
