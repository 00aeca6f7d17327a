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

/** Numbers of the pieces about a row's own time of which something is true: clock changes and windows over midnight move them by less than two. */
const piecesAbout = ({ from, step }: Pieces, begins: Sql, ends: Sql, holds: Sql): Sql => {
  const at = (moment: Sql): Sql => sql`intDiv(${moment} - ${number(from[0] ?? 0)}, ${number(step)})`
  return sql`arrayFilter(w -> ${holds}, range(toUInt32(greatest(1, ${at(begins)} - 2)), toUInt32(least(${number(from.length)}, ${at(ends)} + 3) + 1)))`
}

/** Rows with `begins` and `ends` (ms) in each piece that they overlap: `w`, from 1 up, and `part_begins` to `part_ends`. */
export function spansInPieces(rows: Sql, pieces: Pieces): Sql {
  const { from, until } = pieces
  const [opens, shuts] = [sql`arrayElement(${list(from)}, w)`, sql`arrayElement(${list(until)}, w)`]
  return sql`
  select *, greatest(begins, ${opens}) as part_begins, least(ends, ${shuts}) as part_ends
  from (
    select *, arrayJoin(${piecesAbout(pieces, sql`begins`, sql`ends`, sql`begins < ${shuts} and ends > ${opens}`)}) as w
    from (${rows}) where begins < ${number(Math.max(0, ...until))} and ends > ${number(from[0] ?? 0)} and ends > begins
  )`
}

/** Rows with a moment `begins` (ms) in the piece that holds it; pieces have no moment in common. */
export function momentsInPieces(rows: Sql, { from, until }: Pieces): Sql {
  const open = from.flatMap((begin, at) => ((until[at] as number) > begin ? [at] : []))
  if (!open.length) return sql`select *, toUInt32(0) as w from (${rows}) where false`
  const [froms, untils] = [open.map((at) => from[at] as number), open.map((at) => until[at] as number)]
  // The latest begin up to the moment, found by halving.
  const begin = sql`roundDown(begins, ${list(froms)})`
  return sql`
  select *, transform(${begin}, ${list(froms)}, ${list(open.map((at) => at + 1))}, toInt64(0))::UInt32 as w
  from (${rows}) where begins >= ${number(froms[0] as number)} and begins < transform(${begin}, ${list(froms)}, ${list(untils)}, toInt64(0))`
}
