import { countIngested } from '#server/metrics/count-ingested.ts'
import type { FeedRecords } from '#server/mobility/fleet/feed-records.ts'
import type { FleetIngest } from '#server/mobility/fleet/fleet-ingest.ts'
import type { Pusher } from './find-pusher.ts'
import { joinRecords } from './join-records.ts'
import type { KnownStop } from './queries/known-stops.ts'

/** What a turn knows beyond the stores: what earlier pushes of the same turn bring. */
export interface Turn {
  vehicles: Set<string>
  stops: Map<string, KnownStop>
}

interface Waiting {
  received: number
  decide: (turn: Turn) => Promise<FeedRecords>
  resolve: () => void
  reject: (error: unknown) => void
}

/** No turn takes more pushes than this. */
const maxPushesPerTurn = 500

/**
 * Pushes of one feed and stream, one turn after the other: those that arrive while a turn is under way are stored together in the
 * next. Each is told when its own is stored. As turns do not overlap, what one registers the next one knows.
 */
export class PushQueue {
  readonly #fleetIngest: Pick<FleetIngest, 'take'>
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(keeper: Pick<FleetIngest, 'take'>) {
    this.#fleetIngest = keeper
  }

  /** `decide` tells what of the push is to be stored, once it is its turn. Answers when that is stored. */
  push(
    pusher: Pusher,
    stream: string,
    received: number,
    decide: (turn: Turn) => Promise<FeedRecords>,
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
    const turn: Turn = { vehicles: new Set(), stops: new Map() }
    const decided: { push: Waiting; records: FeedRecords }[] = []
    for (const push of pushes) {
      try {
        decided.push({ push, records: await push.decide(turn) })
      } catch (error) {
        push.reject(error)
      }
    }
    const { organizationId, regionId, operator, feedId } = pusher
    const take = async (some: typeof decided): Promise<void> => {
      const received = Math.max(...some.map(({ push }) => push.received))
      const records = joinRecords(some.map((each) => each.records))
      if (Object.values(records).some((list) => list.length)) {
        const result = await this.#fleetIngest.take({
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
      await take(decided)
    } catch (error) {
      // One push that cannot be stored must not take the others along.
      if (decided.length === 1) decided[0]?.push.reject(error)
      else for (const each of decided) await take([each]).catch(each.push.reject)
    }
  }
}
