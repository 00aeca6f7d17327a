import type { EnrolledFactor } from '#contract/identity.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'

/** An enrollment that waits for its first code. */
export interface PendingFactor {
  /** For an authenticator app. */
  secret?: string
  recoveryCodes?: string[]
  /** For a phone. */
  phoneNumber?: string
  code?: string
}

type Kind = EnrolledFactor['kind']

const validMs = 10 * 60_000
const maxAttempts = 5
const purpose = 'pending factor'

/** Stores unfinished enrollments, encrypted: one per user and kind, for ten minutes and five attempts. */
export class PendingFactors {
  readonly #state: State
  readonly #secretBox: SecretBox
  constructor(state: State, secretBox: SecretBox) {
    this.#state = state
    this.#secretBox = secretBox
  }

  /** Starts an enrollment, replacing an unfinished one. */
  async start(userId: string, kind: Kind, pending: PendingFactor, at: Date): Promise<void> {
    const row = {
      sealed: this.#secretBox.seal(purpose, JSON.stringify(pending)),
      attempts: 0,
      expires_time: new Date(at.getTime() + validMs),
    }
    await this.#state
      .as(systemScope)
      .insertInto('pending_factor')
      .values({ user_id: userId, kind, ...row })
      .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(row))
      .execute()
  }

  /** Counts an attempt and returns the enrollment; null if there is none or no attempt is left. */
  async attempt(userId: string, kind: Kind, at: Date): Promise<PendingFactor | null> {
    const row = await this.#state
      .as(systemScope)
      .updateTable('pending_factor')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('expires_time', '>', at)
      .where('attempts', '<', maxAttempts)
      .returning('sealed')
      .executeTakeFirst()
    return row ? (JSON.parse(this.#secretBox.open(purpose, row.sealed)) as PendingFactor) : null
  }

  /** Deletes an enrollment once it succeeds. Returns false if another request was faster. */
  async finish(userId: string, kind: Kind): Promise<boolean> {
    const deleted = await this.#state
      .as(systemScope)
      .deleteFrom('pending_factor')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .executeTakeFirst()
    return deleted.numDeletedRows > 0n
  }
}
