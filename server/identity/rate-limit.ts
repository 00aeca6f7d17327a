import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'

const dayMs = 24 * 3_600_000

/**
 * Counts an action that is allowed `maxCount` times within `ms` of the first. Returns the seconds to wait if
 * the limit is exceeded, else 0.
 */
export async function consumeRateLimit(
  state: State,
  key: string,
  maxCount: number,
  ms: number,
  at: Date,
): Promise<number> {
  const { rows } = await state.execute(
    `insert into taken_turn as t (key, count, since) values ($1, 1, $2::timestamptz)
     on conflict (key) do update set
       count = case when t.since <= $3::timestamptz then 1 else t.count + 1 end,
       since = case when t.since <= $3::timestamptz then $2::timestamptz else t.since end
     returning count, since`,
    [key, at, new Date(at.getTime() - ms)],
  )
  const { count, since } = rows[0] as { count: number; since: Date }
  if (count === 1)
    await state
      .as(systemScope)
      .deleteFrom('taken_turn')
      .where('since', '<', new Date(at.getTime() - dayMs))
      .execute()
  return count <= maxCount ? 0 : Math.max(1, Math.ceil((since.getTime() + ms - at.getTime()) / 1000))
}

/** Counts an action and returns whether it is allowed: at most `maxCount` times within `ms` of the first. */
export const tryConsumeRateLimit = async (
  state: State,
  key: string,
  maxCount: number,
  ms: number,
  at: Date,
): Promise<boolean> => (await consumeRateLimit(state, key, maxCount, ms, at)) === 0
