import { createHmac } from 'node:crypto'
import { networkPrefix } from '#server/http/address-limit.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'

/** How attempts are slowed down: some are free, then each waits twice as long as the one before. */
interface Delays {
  free: number
  firstSeconds: number
  maxSeconds: number
  /** Without an attempt for so long, counting starts again. Longer than the longest wait. */
  forgetSeconds: number
}

/**
 * For an account, wherever the guesses come from, and for a known device of it: about 105 guesses a day at most.
 * Of an address, which many people may share, for all accounts together.
 */
const delays = {
  account: { free: 5, firstSeconds: 5, maxSeconds: 900, forgetSeconds: 24 * 3600 },
  device: { free: 5, firstSeconds: 5, maxSeconds: 900, forgetSeconds: 24 * 3600 },
  session: { free: 5, firstSeconds: 5, maxSeconds: 900, forgetSeconds: 24 * 3600 },
  address: { free: 20, firstSeconds: 1, maxSeconds: 300, forgetSeconds: 900 },
} as const satisfies Record<string, Delays>

/** Rows without an attempt for so long are deleted. */
const retainMs = 24 * 3_600_000

/** Who tries a password. */
export interface Attempt {
  email: string
  address: string | null
  /** A device that has signed in to this account before: guesses of others do not slow it down, nor it them. */
  device?: string | null
  /** The user of a session who gives the password again. */
  sessionUserId?: string
}

/**
 * Counts passwords that are tried, whether or not there is such an account. An attempt counts when it begins, so that
 * parallel guesses are counted like successive ones; success takes the count away. Stored in the state store, so that
 * a restart changes nothing.
 */
export class SignInAttempts {
  readonly #state: State
  readonly #key: string
  constructor(state: State, box: Pick<SecretBox, 'derive'>) {
    this.#state = state
    this.#key = box.derive('sign-in attempts')
  }

  /** Only hashes are stored: reading the table gives away no e-mail and no address. */
  #hash(kind: keyof typeof delays, text: string): string {
    return createHmac('sha256', this.#key)
      .update(kind === 'account' ? text : `${kind} ${text}`)
      .digest('base64url')
  }

  #countersOf({ email, address, device, sessionUserId }: Attempt): { hash: string; delay: Delays }[] {
    const of = (kind: keyof typeof delays, text: string) => [
      { hash: this.#hash(kind, text), delay: delays[kind] },
    ]
    if (sessionUserId) return of('session', sessionUserId)
    if (device) return of('device', device)
    // The address comes first: an attempt that it refuses does not slow the account down.
    return [...(address ? of('address', networkPrefix(address)) : []), ...of('account', email.toLowerCase())]
  }

  /** Counts an attempt. Answers the seconds to wait where it may not go on, else 0. */
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
    // One statement decides and counts. It changes nothing, and returns nothing, while the row still waits.
    const { rows } = await this.#state.execute(
      `insert into sign_in_failure as f (email_hash, count, last_time, locked_until) values ($1, 1, $2::timestamptz, $2::timestamptz)
       on conflict (email_hash) do update set
         count = ${next}, last_time = $2::timestamptz, locked_until = $2::timestamptz + (${wait}) * interval '1 second'
       where coalesce(f.locked_until, $2::timestamptz) <= $2::timestamptz
       returning count`,
      [hash, at],
    )
    if (rows.length) return 0
    const waits = await this.#state
      .as(systemScope)
      .selectFrom('sign_in_failure')
      .select('locked_until')
      .where('email_hash', '=', hash)
      .executeTakeFirst()
    // At least a second, also where the wait has just ended: this attempt was not counted.
    return Math.max(1, Math.ceil(((waits?.locked_until?.getTime() ?? 0) - at.getTime()) / 1000))
  }

  /** The password was right: the account or the device starts again; of the address only this attempt is taken back. */
  async succeed(attempt: Attempt, at: Date): Promise<void> {
    const store = this.#state.as(systemScope)
    for (const { hash, delay } of this.#countersOf(attempt)) {
      if (delay !== delays.address)
        await store.deleteFrom('sign_in_failure').where('email_hash', '=', hash).execute()
      else
        await store
          .updateTable('sign_in_failure')
          .set((of) => ({ count: of('count', '-', 1), locked_until: at }))
          .where('email_hash', '=', hash)
          .execute()
    }
    await store
      .deleteFrom('sign_in_failure')
      .where('last_time', '<', new Date(at.getTime() - retainMs))
      .execute()
  }
}
