import { describe, expect, it } from 'vitest'
import { noRecords, type Stop } from '#server/fleet/events/feed-records.ts'
import type { FeedBatch, BatchResult } from '#server/fleet/events/fleet-ingest.ts'
import type { Pusher } from './find-pusher.ts'
import { PushQueue } from './push-queue.ts'

const pusher: Pusher = {
  feedId: 'f',
  organizationId: 'o',
  regionId: 'r',
  operator: 'lark',
  providerId: '',
  mode: null,
}
const makeStop = (stopId: string): Stop => ({
  operator: 'lark',
  stopId,
  name: '',
  lon: 0,
  lat: 0,
  lastUpdated: 0,
  attributes: '{}',
})
const bringing =
  (...ids: string[]) =>
  async () => ({ ...noRecords(), stops: ids.map(makeStop) })

/** Creates a fleet ingest that stores batches on `flush` and rejects records with the id `bad`. */
function makeSlowFleetIngest() {
  const batches: FeedBatch[] = []
  const pendingStores: (() => void)[] = []
  const storeBatch = async (batch: FeedBatch): Promise<BatchResult> => {
    batches.push(batch)
    await new Promise<void>((resolve) => pendingStores.push(resolve))
    if (batch.records.stops.some(({ stopId }) => stopId === 'bad')) throw new Error('cannot be stored')
    return { accepted: 1, setAside: 0, repeated: 0 }
  }
  /** Stores the pending batches. */
  const flush = async (): Promise<void> => {
    for (const resolve of pendingStores.splice(0)) resolve()
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  const listStopIds = () => batches.map(({ records }) => records.stops.map(({ stopId }) => stopId))
  return { store: storeBatch, batches, flush, ids: listStopIds }
}
const getOutcome = async (promise: Promise<void>): Promise<string> =>
  Promise.race([
    promise.then(
      () => 'stored',
      (error: Error) => error.message,
    ),
    waitTicks().then(() => 'waiting'),
  ])
const waitTicks = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

describe('pushes of one feed', () => {
  it('stores pushes of a feed together that arrive while another is stored, and then resolves them', async () => {
    const ingest = makeSlowFleetIngest()
    const queue = new PushQueue(ingest)
    const first = queue.push(pusher, 'stops', 1, bringing('a'))
    await waitTicks()
    const others = ['b', 'c', 'd'].map((id, index) => queue.push(pusher, 'stops', 2 + index, bringing(id)))
    await waitTicks()
    expect(ingest.ids()).toEqual([['a']])
    expect(await getOutcome(first)).toBe('waiting')
    await ingest.flush()
    expect(await getOutcome(first)).toBe('stored')
    expect(ingest.ids()).toEqual([['a'], ['b', 'c', 'd']])
    expect(await getOutcome(others[0] as Promise<void>)).toBe('waiting')
    await ingest.flush()
    await Promise.all(others)
    expect(ingest.batches[1]).toMatchObject({
      organizationId: 'o',
      regionId: 'r',
      operator: 'lark',
      feedId: 'f',
      stream: 'stops',
      windowStart: 4,
      received: 4,
    })
  })

  it('a push does not wait for pushes of other streams or feeds', async () => {
    const ingest = makeSlowFleetIngest()
    const queue = new PushQueue(ingest)
    const pushes = [
      queue.push(pusher, 'stops', 1, bringing('a')),
      queue.push(pusher, 'events', 1, bringing('b')),
      queue.push({ ...pusher, feedId: 'g' }, 'stops', 1, bringing('c')),
    ]
    await waitTicks()
    expect(ingest.batches).toHaveLength(3)
    await ingest.flush()
    await Promise.all(pushes)
  })

  it('a push does not fail because of another push of its batch', async () => {
    const ingest = makeSlowFleetIngest()
    const queue = new PushQueue(ingest)
    const first = queue.push(pusher, 'stops', 1, bringing('a'))
    await waitTicks()
    const [good, bad, better] = ['b', 'bad', 'c'].map((id) =>
      queue.push(pusher, 'stops', 2, bringing(id)),
    ) as [Promise<void>, Promise<void>, Promise<void>]
    const outcomes = Promise.all([good, bad.catch((error: Error) => error.message), better])
    for (let turn = 0; turn < 6; turn++) await ingest.flush()
    await first
    expect(await outcomes).toEqual([undefined, 'cannot be stored', undefined])
    expect(ingest.ids()).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']])
  })

  it('pushes of one feed see what previous pushes of their batch registered, and reject if they cannot be decided', async () => {
    const ingest = makeSlowFleetIngest()
    const queue = new PushQueue(ingest)
    const first = queue.push(pusher, 'vehicles', 1, bringing('a'))
    const seen: string[][] = []
    const noting = (id: string) =>
      queue.push(pusher, 'vehicles', 2, async (turn) => {
        seen.push([...turn.vehicles])
        turn.vehicles.add(id)
        return noRecords()
      })
    const [b, c] = [noting('b'), noting('c')]
    const undecided = queue
      .push(pusher, 'vehicles', 3, () => Promise.reject(new Error('no store')))
      .catch((error: Error) => error.message)
    await waitTicks()
    await ingest.flush()
    await Promise.all([first, b, c])
    expect(await undecided).toBe('no store')
    expect(seen).toEqual([[], ['b']])
    // Only the first push had records to store.
    expect(ingest.batches).toHaveLength(1)
    const later = noting('d')
    await later
    expect(seen[2]).toEqual([])
  })
})
