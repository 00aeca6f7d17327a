import type { State } from '#server/stores/state.ts'
import { tooManyAttempts } from '../auth-errors.ts'
import { consumeRateLimit } from '../rate-limit'

/** Text messages that one account may cause within an hour. */
const maxMessages = 10
const hourMs = 3_600_000

/** Throws TOO_MANY_ATTEMPTS when the account has sent enough text messages: they cost money, and annoy who gets them. */
export async function checkSmsRateLimit(state: State, userId: string, at: Date): Promise<void> {
  const seconds = await consumeRateLimit(state, `sms:${userId}`, maxMessages, hourMs, at)
  if (seconds > 0) throw tooManyAttempts(seconds)
}
