import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'

interface KeyUse {
  calls: number
  refused: number
  lastUsed: Date | null
}

/**
 * Counts calls of keys in memory. Counts are stored once a minute and at shutdown, so that calls themselves
 * write nothing. A server that is killed loses the counts of its last minute.
 */
export class KeyUsage {
  readonly #state: State
  /** Use by `key day`, where the day is in UTC. */
  #uses = new Map<string, KeyUse>()
  constructor(state: State) {
    this.#state = state
  }

  get isEmpty(): boolean {
    return this.#uses.size === 0
  }

  count(keyId: string, isRefused: boolean, at: Date): void {
    const key = `${keyId} ${at.toISOString().slice(0, 10)}`
    const use = this.#uses.get(key) ?? { calls: 0, refused: 0, lastUsed: null }
    use.calls++
    if (isRefused) use.refused++
    else use.lastUsed = at
    this.#uses.set(key, use)
  }

  /** Stores the counts. If this fails, the counts that are not stored remain in memory. */
  async store(): Promise<void> {
    const uses = this.#uses
    this.#uses = new Map()
    for (const [key, { calls, refused, lastUsed }] of uses) {
      const [keyId = '', day = ''] = key.split(' ')
      try {
        await this.#state
          .as(systemScope)
          .insertInto('api_key_day')
          .columns(['key_id', 'day', 'calls', 'refused', 'last_used_time'])
          .expression((eb) =>
            eb
              .selectFrom('api_key')
              .select((row) => [
                'api_key.key_id',
                row.cast<string>(row.val(day), 'date').as('day'),
                row.cast<number>(row.val(calls), 'bigint').as('calls'),
                row.cast<number>(row.val(refused), 'bigint').as('refused'),
                row.cast<Date | null>(row.val(lastUsed), 'timestamptz').as('last_used_time'),
              ])
              .where('api_key.key_id', '=', keyId),
          )
          .onConflict((conflict) =>
            conflict.columns(['key_id', 'day']).doUpdateSet((row) => ({
              calls: row('api_key_day.calls', '+', row.ref('excluded.calls')),
              refused: row('api_key_day.refused', '+', row.ref('excluded.refused')),
              last_used_time: row.fn('greatest', ['api_key_day.last_used_time', 'excluded.last_used_time']),
            })),
          )
          .execute()
        uses.delete(key)
      } catch (error) {
        for (const [unstoredKey, use] of uses) {
          const newUse = this.#uses.get(unstoredKey)
          this.#uses.set(unstoredKey, {
            calls: use.calls + (newUse?.calls ?? 0),
            refused: use.refused + (newUse?.refused ?? 0),
            lastUsed: newUse?.lastUsed ?? use.lastUsed,
          })
        }
        throw error
      }
    }
  }
}
