import { bind, type Sql, sql } from '#server/stores/sql.ts'

/** Half-open time ranges, ms, in order, about one per `step`; empty ones are ignored. */
export interface TimeSlots {
  from: readonly number[]
  until: readonly number[]
  step: number
}

export const dayStep = 86_400_000
export const hourStep = 3_600_000

const list = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`
const number = (value: number): Sql => sql`${bind('Int64', String(value))}`

/** Numbers of the slots around a row's time for which `holds` is true: clock changes and windows over midnight shift them by less than two. */
const slotsAround = ({ from, step }: TimeSlots, begins: Sql, ends: Sql, holds: Sql): Sql => {
  const at = (moment: Sql): Sql => sql`intDiv(${moment} - ${number(from[0] ?? 0)}, ${number(step)})`
  return sql`arrayFilter(w -> ${holds}, range(toUInt32(greatest(1, ${at(begins)} - 2)), toUInt32(least(${number(from.length)}, ${at(ends)} + 3) + 1)))`
}

/** Rows with `begins` and `ends` (ms) in each slot that they overlap: `w`, starting at 1, and `part_begins` to `part_ends`. */
export function spansInSlots(rows: Sql, slots: TimeSlots): Sql {
  const { from, until } = slots
  const [opens, closes] = [sql`arrayElement(${list(from)}, w)`, sql`arrayElement(${list(until)}, w)`]
  return sql`
  select *, greatest(begins, ${opens}) as part_begins, least(ends, ${closes}) as part_ends
  from (
    select *, arrayJoin(${slotsAround(slots, sql`begins`, sql`ends`, sql`begins < ${closes} and ends > ${opens}`)}) as w
    from (${rows}) where begins < ${number(Math.max(0, ...until))} and ends > ${number(from[0] ?? 0)} and ends > begins
  )`
}

/** Rows with a moment `begins` (ms) in the slot that contains it; slots do not overlap. */
export function momentsInSlots(rows: Sql, { from, until }: TimeSlots): Sql {
  const open = from.flatMap((begin, index) => ((until[index] as number) > begin ? [index] : []))
  if (!open.length) return sql`select *, toUInt32(0) as w from (${rows}) where false`
  const [froms, untils] = [open.map((at) => from[at] as number), open.map((at) => until[at] as number)]
  // The latest start before the moment, by binary search.
  const begin = sql`roundDown(begins, ${list(froms)})`
  return sql`
  select *, transform(${begin}, ${list(froms)}, ${list(open.map((at) => at + 1))}, toInt64(0))::UInt32 as w
  from (${rows}) where begins >= ${number(froms[0] as number)} and begins < transform(${begin}, ${list(froms)}, ${list(untils)}, toInt64(0))`
}
