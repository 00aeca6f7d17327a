import { createHmac } from 'node:crypto'
import { networkPrefix } from '#server/http/address-limit.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'

/** Delays of attempts: some are free, then each must wait twice as long as the previous one. */
interface Delays {
  free: number
  firstSeconds: number
  maxSeconds: number
  /** Time without an attempt after which the count is reset; longer than `maxSeconds`. */
  forgetSeconds: number
}

/**
 * Per account, from all addresses together, and per known device: at most about 105 guesses a day.
 * Per address, which many people may share, for all accounts together.
 */
const delays = {
  account: { free: 5, firstSeconds: 5, maxSeconds: 900, forgetSeconds: 24 * 3600 },
  device: { free: 5, firstSeconds: 5, maxSeconds: 900, forgetSeconds: 24 * 3600 },
  session: { free: 5, firstSeconds: 5, maxSeconds: 900, forgetSeconds: 24 * 3600 },
  address: { free: 20, firstSeconds: 1, maxSeconds: 300, forgetSeconds: 900 },
} as const satisfies Record<string, Delays>

/** Rows without an attempt in this time are deleted. */
const retainMs = 24 * 3_600_000

/** An attempt to sign in with a password. */
export interface Attempt {
  email: string
  address: string | null
  /**
   * A known device of the account; it is counted separately, so that guesses from elsewhere do not delay it.
   */
  device?: string | null
  /** The signed-in user who enters the password again. */
  sessionUserId?: string
}

/**
 * Counts attempts with passwords, also for accounts that do not exist. An attempt counts when it begins, so
 * that parallel guesses count like successive ones; success resets the count. Stored in the state store, so
 * that the count survives a restart.
 */
export class SignInAttempts {
  readonly #state: State
  readonly #key: string
  constructor(state: State, box: Pick<SecretBox, 'derive'>) {
    this.#state = state
    this.#key = box.derive('sign-in attempts')
  }

  /** Only keyed hashes are stored, so that the table discloses no e-mail and no address. */
  #hash(kind: keyof typeof delays, text: string): string {
    return createHmac('sha256', this.#key)
      .update(kind === 'account' ? text : `${kind} ${text}`)
      .digest('base64url')
  }

  #countersOf({ email, address, device, sessionUserId }: Attempt): { hash: string; delay: Delays }[] {
    const counterOf = (kind: keyof typeof delays, text: string) => [
      { hash: this.#hash(kind, text), delay: delays[kind] },
    ]
    if (sessionUserId) return counterOf('session', sessionUserId)
    if (device) return counterOf('device', device)
    // The address comes first, so that attempts refused by it do not delay the account.
    return [
      ...(address ? counterOf('address', networkPrefix(address)) : []),
      ...counterOf('account', email.toLowerCase()),
    ]
  }

  /** Counts an attempt. Returns the seconds to wait if it is refused, else 0. */
  async begin(attempt: Attempt, at: Date): Promise<number> {
    for (const { hash, delay } of this.#countersOf(attempt)) {
      const seconds = await this.#count(hash, delay, at)
      if (seconds > 0) return seconds
    }
    return 0
  }

  async #count(
    hash: string,
    { free, firstSeconds, maxSeconds, forgetSeconds }: Delays,
    at: Date,
  ): Promise<number> {
    const next = `case when f.last_time <= $2::timestamptz - interval '${forgetSeconds} seconds' then 1 else f.count + 1 end`
    const wait = `case when (${next}) < ${free} then 0
      else least(${maxSeconds}, ${firstSeconds} * power(2, least((${next}) - ${free}, 30))) end`
    // One statement decides and counts. It changes and returns no row while the delay lasts.
    const { rows } = await this.#state.execute(
      `insert into sign_in_failure as f (email_hash, count, last_time, locked_until) values ($1, 1, $2::timestamptz, $2::timestamptz)
       on conflict (email_hash) do update set
         count = ${next}, last_time = $2::timestamptz, locked_until = $2::timestamptz + (${wait}) * interval '1 second'
       where coalesce(f.locked_until, $2::timestamptz) <= $2::timestamptz
       returning count`,
      [hash, at],
    )
    if (rows.length) return 0
    const row = await this.#state
      .as(systemScope)
      .selectFrom('sign_in_failure')
      .select('locked_until')
      .where('email_hash', '=', hash)
      .executeTakeFirst()
    // At least a second, even if the delay has just ended, because this attempt was not counted.
    return Math.max(1, Math.ceil(((row?.locked_until?.getTime() ?? 0) - at.getTime()) / 1000))
  }

  /**
   * Records that the password was correct: resets the count of the account or device, and removes this
   * attempt from that of the address.
   */
  async succeed(attempt: Attempt, at: Date): Promise<void> {
    const store = this.#state.as(systemScope)
    for (const { hash, delay } of this.#countersOf(attempt)) {
      if (delay !== delays.address)
        await store.deleteFrom('sign_in_failure').where('email_hash', '=', hash).execute()
      else
        await store
          .updateTable('sign_in_failure')
          .set((eb) => ({ count: eb('count', '-', 1), locked_until: at }))
          .where('email_hash', '=', hash)
          .execute()
    }
    await store
      .deleteFrom('sign_in_failure')
      .where('last_time', '<', new Date(at.getTime() - retainMs))
      .execute()
  }
}
