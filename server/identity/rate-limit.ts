import { dayMs } from '#contract/period.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'

/** An action that is allowed `maxCount` times within `windowMs` of the first time. */
interface LimitedAction {
  /** Identifies the kind of action and who takes it. */
  key: string
  maxCount: number
  windowMs: number
}

/** Counts an action. Returns the seconds to wait if its limit is exceeded, or else 0. */
export async function consumeRateLimit(
  state: State,
  { key, maxCount, windowMs }: LimitedAction,
  at: Date,
): Promise<number> {
  const { rows } = await state.execute(
    `insert into taken_turn as t (key, count, since) values ($1, 1, $2::timestamptz)
     on conflict (key) do update set
       count = case when t.since <= $3::timestamptz then 1 else t.count + 1 end,
       since = case when t.since <= $3::timestamptz then $2::timestamptz else t.since end
     returning count, since`,
    [key, at, new Date(at.getTime() - windowMs)],
  )
  const { count, since } = rows[0] as { count: number; since: Date }
  if (count === 1)
    await state
      .as(systemScope)
      .deleteFrom('taken_turn')
      .where('since', '<', new Date(at.getTime() - dayMs))
      .execute()
  const waitMs = since.getTime() + windowMs - at.getTime()
  // At least one second, even if the window is about to end, because this action is refused.
  return count <= maxCount ? 0 : Math.max(1, Math.ceil(waitMs / 1000))
}

/** Counts an action and returns whether it is within its limit. */
export const tryConsumeRateLimit = async (state: State, action: LimitedAction, at: Date): Promise<boolean> =>
  (await consumeRateLimit(state, action, at)) === 0
