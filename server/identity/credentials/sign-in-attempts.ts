import { createHmac } from 'node:crypto'
import { dayMs } from '#contract/period.ts'
import { getNetworkPrefix } from '#server/http/address-limit.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'

/** Delays of attempts: the first ones are not delayed, then the delay doubles with each attempt. */
interface Delays {
  /** The number of attempts that are not delayed. */
  freeCount: number
  firstSeconds: number
  maxSeconds: number
  /** Time without an attempt after which the count is reset; longer than `maxSeconds`. */
  forgetSeconds: number
}

/**
 * Delays by what is counted. An account (from all addresses) or a known device allows about 105 guesses a
 * day. Delays of an address, for all accounts, are shorter because many people may share it.
 */
const delays = {
  account: { freeCount: 5, firstSeconds: 5, maxSeconds: 900, forgetSeconds: 24 * 3600 },
  device: { freeCount: 5, firstSeconds: 5, maxSeconds: 900, forgetSeconds: 24 * 3600 },
  session: { freeCount: 5, firstSeconds: 5, maxSeconds: 900, forgetSeconds: 24 * 3600 },
  address: { freeCount: 20, firstSeconds: 1, maxSeconds: 300, forgetSeconds: 900 },
} as const satisfies Record<string, Delays>

/** Counts are deleted after this time without an attempt. */
const retainMs = dayMs

/** An attempt to enter a password. */
export interface Attempt {
  email: string
  address: string | null
  /** A known device of the account, counted separately so that guesses from elsewhere do not delay it. */
  device?: string | null
  /** Id of the user, if already signed in and entering the password again. */
  sessionUserId?: string
}

/**
 * Counts attempts to enter a password, even for accounts that do not exist. An attempt counts when it begins,
 * so that parallel guesses are delayed like successive ones. Success resets the count. Counts are stored, so
 * that they survive a restart.
 */
export class SignInAttempts {
  readonly #state: State
  readonly #hashKey: string
  constructor(state: State, secretBox: Pick<SecretBox, 'derive'>) {
    this.#state = state
    this.#hashKey = secretBox.derive('sign-in attempts')
  }

  /** Returns a keyed hash of what is counted, so that the table discloses neither e-mails nor addresses. */
  #hash(kind: keyof typeof delays, text: string): string {
    return createHmac('sha256', this.#hashKey)
      .update(kind === 'account' ? text : `${kind} ${text}`)
      .digest('base64url')
  }

  /** Lists the counters of an attempt with their delays. */
  #listCounters({ email, address, device, sessionUserId }: Attempt): { hash: string; delay: Delays }[] {
    const makeCounter = (kind: keyof typeof delays, text: string) => [
      { hash: this.#hash(kind, text), delay: delays[kind] },
    ]
    if (sessionUserId) return makeCounter('session', sessionUserId)
    if (device) return makeCounter('device', device)
    // The address comes first, so that attempts refused by it do not delay the account.
    return [
      ...(address ? makeCounter('address', getNetworkPrefix(address)) : []),
      ...makeCounter('account', email.toLowerCase()),
    ]
  }

  /** Counts an attempt. Returns the seconds to wait if it is refused, or else 0. */
  async begin(attempt: Attempt, at: Date): Promise<number> {
    for (const { hash, delay } of this.#listCounters(attempt)) {
      const seconds = await this.#count(hash, delay, at)
      if (seconds > 0) return seconds
    }
    return 0
  }

  async #count(
    hash: string,
    { freeCount, firstSeconds, maxSeconds, forgetSeconds }: Delays,
    at: Date,
  ): Promise<number> {
    const nextCountSql = `case when f.last_time <= $2::timestamptz - interval '${forgetSeconds} seconds' then 1 else f.count + 1 end`
    // The exponent is limited, so that the power does not overflow.
    const waitSecondsSql = `case when (${nextCountSql}) < ${freeCount} then 0
      else least(${maxSeconds}, ${firstSeconds} * power(2, least((${nextCountSql}) - ${freeCount}, 30))) end`
    // A single statement decides and counts. During a delay it changes and returns no row.
    const { rows } = await this.#state.execute(
      `insert into sign_in_failure as f (email_hash, count, last_time, locked_until) values ($1, 1, $2::timestamptz, $2::timestamptz)
       on conflict (email_hash) do update set
         count = ${nextCountSql}, last_time = $2::timestamptz, locked_until = $2::timestamptz + (${waitSecondsSql}) * interval '1 second'
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
    // At least one second, even if the delay has just ended, because this attempt was not counted.
    return Math.max(1, Math.ceil(((row?.locked_until?.getTime() ?? 0) - at.getTime()) / 1000))
  }

  /**
   * Records that the password was correct: resets the count of the account or device, and subtracts this
   * attempt from the count of the address, which others may share.
   */
  async succeed(attempt: Attempt, at: Date): Promise<void> {
    const store = this.#state.as(systemScope)
    for (const { hash, delay } of this.#listCounters(attempt)) {
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
