import type { State } from '#server/stores/state.ts'
import { tooManyAttempts } from '../auth-errors.ts'
import { countTurn } from '../take-turn.ts'

/** Text messages that one account may cause within an hour. */
const most = 10
const hourMs = 3_600_000

/** Throws TOO_MANY_ATTEMPTS when the account has sent enough text messages: they cost money, and annoy who gets them. */
export async function takeSmsTurn(state: State, userId: string, at: Date): Promise<void> {
  const seconds = await countTurn(state, `sms:${userId}`, most, hourMs, at)
  if (seconds > 0) throw tooManyAttempts(seconds)
}
