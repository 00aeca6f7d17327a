import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'

const dayMs = 24 * 3_600_000

/** Whether something may be done once more: at most `most` times within `ms` of the first. */
export async function takeTurn(state: State, key: string, most: number, ms: number, at: Date): Promise<boolean> {
  const { rows } = await state.execute(
    `insert into taken_turn as t (key, count, since) values ($1, 1, $2::timestamptz)
     on conflict (key) do update set
       count = case when t.since <= $3::timestamptz then 1 else t.count + 1 end,
       since = case when t.since <= $3::timestamptz then $2::timestamptz else t.since end
     returning count`,
    [key, at, new Date(at.getTime() - ms)],
  )
  const { count } = rows[0] as { count: number }
  if (count === 1) await state.as(systemScope).deleteFrom('taken_turn').where('since', '<', new Date(at.getTime() - dayMs)).execute()
  return count <= most
}
