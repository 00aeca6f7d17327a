import { createHmac } from 'node:crypto'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'

/** So many wrong passwords in a row, none longer after the one before than the time, lock the account for the time. */
export const mostAttempts = 10
export const lockMinutes = 15

/** Rows older than this are of no use any more. */
const keptMs = 24 * 3_600_000

/**
 * Counts passwords tried per e-mail, whether or not there is such an account. An attempt counts when it begins, so that many at
 * once are no way around; success takes the count away.
 */
export class SignInAttempts {
  readonly #state: State
  readonly #key: string
  constructor(state: State, box: Pick<SecretBox, 'derive'>) {
    this.#state = state
    this.#key = box.derive('sign-in attempts')
  }

  /** Of an e-mail only this is kept: who reads the table learns no addresses. */
  #hash(email: string): string {
    return createHmac('sha256', this.#key).update(email.toLowerCase()).digest('base64url')
  }

  /** Counts an attempt; tells whether it may go on, and of the first that may not. */
  async begin(email: string, at: Date): Promise<'free' | 'locked now' | 'locked'> {
    const over = `coalesce(f.locked_until, f.last_time + interval '${lockMinutes} minutes') <= $2::timestamptz`
    const { rows } = await this.#state.execute(
      `insert into sign_in_failure as f (email_hash, count, last_time) values ($1, 1, $2::timestamptz)
       on conflict (email_hash) do update set
         count = case when ${over} then 1 else f.count + 1 end,
         locked_until = case
           when ${over} then null
           when f.locked_until is not null then f.locked_until
           when f.count + 1 >= ${mostAttempts} then $2::timestamptz + interval '${lockMinutes} minutes' end,
         last_time = $2::timestamptz
       returning count`,
      [this.#hash(email), at],
    )
    const { count } = rows[0] as { count: number }
    if (count <= mostAttempts) return 'free'
    return count === mostAttempts + 1 ? 'locked now' : 'locked'
  }

  /** The password was right. */
  async forget(email: string, at: Date): Promise<void> {
    await this.#state
      .as(systemScope)
      .deleteFrom('sign_in_failure')
      .where(({ eb, or }) => or([eb('email_hash', '=', this.#hash(email)), eb('last_time', '<', new Date(at.getTime() - keptMs))]))
      .execute()
  }
}
