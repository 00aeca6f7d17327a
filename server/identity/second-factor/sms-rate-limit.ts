import type { State } from '#server/stores/state.ts'
import { tooManyAttempts } from '../auth-errors.ts'
import { consumeRateLimit } from '../rate-limit'

/** Maximum text messages per account and hour. */
const maxMessagesPerHour = 10
const hourMs = 3_600_000

/**
 * Throws TOO_MANY_ATTEMPTS above the limit of text messages, which cost money and can annoy the recipient.
 */
export async function checkSmsRateLimit(state: State, userId: string, at: Date): Promise<void> {
  const seconds = await consumeRateLimit(state, `sms:${userId}`, maxMessagesPerHour, hourMs, at)
  if (seconds > 0) throw tooManyAttempts(seconds)
}
