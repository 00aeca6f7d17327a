import { countIngested } from '#server/metrics/count-ingested.ts'
import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import type { Pusher } from './find-pusher.ts'
import { joinRecords } from './join-records.ts'
import type { KnownStop } from './queries/known-stops.ts'

/** What earlier pushes of the same batch registered, beyond what is stored. */
export interface PushBatch {
  vehicles: Set<string>
  stops: Map<string, KnownStop>
}

interface Waiting {
  received: number
  decide: (turn: PushBatch) => Promise<FeedRecords>
  resolve: () => void
  reject: (error: unknown) => void
}

/** Pushes per batch at most. */
const maxPushesPerTurn = 500

/**
 * Pushes of one feed and stream in batches: those that arrive while a batch is stored form the next one. Each push resolves when its
 * own records are stored. Batches do not overlap, so each knows what the previous ones registered.
 */
export class PushQueue {
  readonly #fleetIngest: Pick<FleetIngest, 'store'>
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(fleetIngest: Pick<FleetIngest, 'store'>) {
    this.#fleetIngest = fleetIngest
  }

  /** `decide` returns the records to store, when it is the push's turn. Resolves when they are stored. */
  push(
    pusher: Pusher,
    stream: string,
    received: number,
    decide: (turn: PushBatch) => Promise<FeedRecords>,
  ): Promise<void> {
    const key = `${pusher.feedId} ${stream}`
    return new Promise((resolve, reject) => {
      const one = { received, decide, resolve, reject }
      const queue = this.#waiting.get(key)
      if (queue) return void queue.push(one)
      this.#waiting.set(key, [one])
      void this.#run(key, pusher, stream)
    })
  }

  async #run(key: string, pusher: Pusher, stream: string): Promise<void> {
    const queue = this.#waiting.get(key) ?? []
    while (queue.length) await this.#turn(queue.splice(0, maxPushesPerTurn), pusher, stream)
    this.#waiting.delete(key)
  }

  async #turn(pushes: readonly Waiting[], pusher: Pusher, stream: string): Promise<void> {
    const turn: PushBatch = { vehicles: new Set(), stops: new Map() }
    const decided: { push: Waiting; records: FeedRecords }[] = []
    for (const push of pushes) {
      try {
        decided.push({ push, records: await push.decide(turn) })
      } catch (error) {
        push.reject(error)
      }
    }
    const { organizationId, regionId, operator, feedId } = pusher
    const store = async (some: typeof decided): Promise<void> => {
      const received = Math.max(...some.map(({ push }) => push.received))
      const records = joinRecords(some.map((each) => each.records))
      if (Object.values(records).some((list) => list.length)) {
        const result = await this.#fleetIngest.store({
          organizationId,
          regionId,
          operator,
          feedId,
          stream,
          pullWindow: received,
          received,
          records,
        })
        countIngested('push', result)
      }
      for (const { push } of some) push.resolve()
    }
    if (!decided.length) return
    try {
      await store(decided)
    } catch (error) {
      // One push that cannot be stored must not fail the others.
      if (decided.length === 1) decided[0]?.push.reject(error)
      else for (const each of decided) await store([each]).catch(each.push.reject)
    }
  }
}
