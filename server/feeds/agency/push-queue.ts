import { countIngested } from '#server/metrics/count-ingested.ts'
import { type FeedRecords, joinRecords } from '#server/fleet/events/feed-records.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import type { Pusher } from './find-pusher.ts'
import type { KnownStop } from './queries/known-stops.ts'

/** What the previous pushes of the same batch registered; it is not stored yet. */
export interface PushBatch {
  vehicles: Set<string>
  stops: Map<string, KnownStop>
}

/** A push that waits for its batch. */
interface QueuedPush {
  received: number
  decide: (batch: PushBatch) => Promise<FeedRecords>
  resolve: () => void
  reject: (error: unknown) => void
}

/** The maximum number of pushes per batch. */
const maxPushesPerBatch = 500

/**
 * Stores the pushes of each feed and stream in batches: those that arrive while a batch is stored form the
 * next one. A push resolves when its records are stored. Batches of a stream do not overlap, so each sees
 * what the previous ones registered.
 */
export class PushQueue {
  readonly #fleetIngest: Pick<FleetIngest, 'store'>
  readonly #queues = new Map<string, QueuedPush[]>()

  constructor(fleetIngest: Pick<FleetIngest, 'store'>) {
    this.#fleetIngest = fleetIngest
  }

  /** Stores the records that `decide` returns; it is called when it is the push's turn. Resolves when stored. */
  push(
    pusher: Pusher,
    stream: string,
    received: number,
    decide: (batch: PushBatch) => Promise<FeedRecords>,
  ): Promise<void> {
    const key = `${pusher.feedId} ${stream}`
    return new Promise((resolve, reject) => {
      const queued = { received, decide, resolve, reject }
      const queue = this.#queues.get(key)
      if (queue) return void queue.push(queued)
      this.#queues.set(key, [queued])
      void this.#run(key, pusher, stream)
    })
  }

  async #run(key: string, pusher: Pusher, stream: string): Promise<void> {
    const queue = this.#queues.get(key) ?? []
    while (queue.length) await this.#storeBatch(queue.splice(0, maxPushesPerBatch), pusher, stream)
    this.#queues.delete(key)
  }

  async #storeBatch(pushes: readonly QueuedPush[], pusher: Pusher, stream: string): Promise<void> {
    const batch: PushBatch = { vehicles: new Set(), stops: new Map() }
    const decisions: { push: QueuedPush; records: FeedRecords }[] = []
    for (const push of pushes) {
      try {
        decisions.push({ push, records: await push.decide(batch) })
      } catch (error) {
        push.reject(error)
      }
    }
    const { organizationId, regionId, operator, feedId } = pusher
    const store = async (stored: typeof decisions): Promise<void> => {
      const received = Math.max(...stored.map(({ push }) => push.received))
      const records = joinRecords(stored.map((decision) => decision.records))
      if (Object.values(records).some((list) => list.length)) {
        const result = await this.#fleetIngest.store({
          organizationId,
          regionId,
          operator,
          feedId,
          stream,
          windowStart: received,
          received,
          records,
        })
        countIngested('push', result)
      }
      for (const { push } of stored) push.resolve()
    }
    if (!decisions.length) return
    try {
      await store(decisions)
    } catch (error) {
      // If the batch cannot be stored, each push is tried separately, so that one does not fail the others.
      if (decisions.length === 1) decisions[0]?.push.reject(error)
      else for (const decision of decisions) await store([decision]).catch(decision.push.reject)
    }
  }
}
