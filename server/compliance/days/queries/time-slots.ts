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

const bindInt64s = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`
const bindInt64 = (value: number): Sql => sql`${bind('Int64', String(value))}`

/**
 * Builds SQL for an array with the numbers of the slots for which `condition` is true, among those near a
 * row's time. Clock changes and windows over midnight shift a slot by less than two steps, so only the
 * nearest are tested.
 */
const slotNumberArray = ({ from, step }: TimeSlots, begins: Sql, ends: Sql, condition: Sql): Sql => {
  const estimatedSlot = (moment: Sql): Sql =>
    sql`intDiv(${moment} - ${bindInt64(from[0] ?? 0)}, ${bindInt64(step)})`
  return sql`
    arrayFilter(
      w -> ${condition},
      range(
        toUInt32(greatest(1, ${estimatedSlot(begins)} - 2)),
        toUInt32(least(${bindInt64(from.length)}, ${estimatedSlot(ends)} + 3) + 1)
      )
    )`
}

/**
 * Builds SQL that repeats rows once per slot that they overlap, with the number of the slot (`w`, from 1) and
 * the overlap `part_begins` to `part_ends`. The rows need `begins` and `ends` in ms.
 */
export function spanRowsInSlots(rows: Sql, slots: TimeSlots): Sql {
  const { from, until } = slots
  const slotStart = sql`arrayElement(${bindInt64s(from)}, w)`
  const slotEnd = sql`arrayElement(${bindInt64s(until)}, w)`
  return sql`
  select *, greatest(begins, ${slotStart}) as part_begins, least(ends, ${slotEnd}) as part_ends
  from (
    select
      *,
      arrayJoin(
        ${slotNumberArray(slots, sql`begins`, sql`ends`, sql`begins < ${slotEnd} and ends > ${slotStart}`)}
      ) as w
    from (${rows})
    where begins < ${bindInt64(Math.max(0, ...until))} and ends > ${bindInt64(from[0] ?? 0)} and ends > begins
  )`
}

/** Builds SQL for rows with the number `w` of the slot that contains `begins` (ms). Slots do not overlap. */
export function momentRowsInSlots(rows: Sql, { from, until }: TimeSlots): Sql {
  const openIndices = from.flatMap((begin, index) => ((until[index] as number) > begin ? [index] : []))
  if (!openIndices.length) return sql`select *, toUInt32(0) as w from (${rows}) where false`
  const slotStarts = openIndices.map((index) => from[index] as number)
  const slotEnds = openIndices.map((index) => until[index] as number)
  // The latest start before the moment, by binary search.
  const begin = sql`roundDown(begins, ${bindInt64s(slotStarts)})`
  return sql`
  select
    *,
    transform(
      ${begin}, ${bindInt64s(slotStarts)}, ${bindInt64s(openIndices.map((index) => index + 1))},
      toInt64(0)
    )::UInt32 as w
  from (${rows})
  where begins >= ${bindInt64(slotStarts[0] as number)}
    and begins < transform(${begin}, ${bindInt64s(slotStarts)}, ${bindInt64s(slotEnds)}, toInt64(0))`
}
