import { bind, type Sql, sql } from '#server/stores/sql.ts'

/** Stretches of time, ms, half open, in order: one for about every `step`; empty ones are taken for none. */
export interface Pieces {
  from: readonly number[]
  until: readonly number[]
  step: number
}

export const dayStep = 86_400_000
export const hourStep = 3_600_000

const list = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`
const number = (value: number): Sql => sql`${bind('Int64', String(value))}`

/**
 * Rows with `begins` and `ends` (ms) in each piece that they overlap: `w`, from 1 up, and `part_begins` to `part_ends`. Only the pieces about a row's own time are
 * looked at: clock changes and windows over midnight move them by less than two.
 */
export function spansInPieces(rows: Sql, { from, until, step }: Pieces): Sql {
  const [first, last] = [from[0] ?? 0, Math.max(0, ...until)]
  const at = (moment: Sql): Sql => sql`intDiv(${moment} - ${number(first)}, ${number(step)})`
  return sql`
  select *, greatest(begins, w_from) as part_begins, least(ends, w_until) as part_ends
  from (
    select *, arrayElement(${list(from)}, w) as w_from, arrayElement(${list(until)}, w) as w_until
    from (
      select *, arrayJoin(range(toUInt32(greatest(1, ${at(sql`begins`)} - 2)), toUInt32(least(${number(from.length)}, ${at(sql`ends`)} + 3) + 1))) as w
      from (${rows}) where begins < ${number(last)} and ends > ${number(first)} and ends > begins
    )
  )
  where begins < w_until and ends > w_from`
}

/** Rows with a moment `begins` (ms) in the pieces that hold it. */
export function momentsInPieces(rows: Sql, { from, until, step }: Pieces): Sql {
  const [first, last] = [from[0] ?? 0, Math.max(0, ...until)]
  const at = sql`intDiv(begins - ${number(first)}, ${number(step)})`
  return sql`
  select * from (
    select *, arrayJoin(range(toUInt32(greatest(1, ${at} - 2)), toUInt32(least(${number(from.length)}, ${at} + 3) + 1))) as w
    from (${rows}) where begins >= ${number(first)} and begins < ${number(last)}
  )
  where begins >= arrayElement(${list(from)}, w) and begins < arrayElement(${list(until)}, w)`
}
