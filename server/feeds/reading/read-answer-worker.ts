import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { UnreadableBody, type Read } from '../adapters/adapter.ts'
import { adapters } from '../adapters/list.ts'
import { adapterOf } from '../feeds.ts'
import type { ReadMessage, ReadTask } from './reading-thread.ts'
import { type FeedRecords, noRecords } from '#server/fleet/events/feed-records.ts'

/** Records per part: few enough that transferring them does not block. */
export const recordsPerPart = 4000

/** The parts of a large result; the last one has what is not a list. */
function* partsOf({ records, ...once }: Read): Generator<{ part: Read; isLast: boolean }> {
  for (const [name, list] of Object.entries(records) as [keyof FeedRecords, FeedRecords[keyof FeedRecords]][])
    for (let from = 0; from < list.length; from += recordsPerPart)
      yield {
        part: { records: { ...noRecords(), [name]: list.slice(from, from + recordsPerPart) }, next: null },
        isLast: false,
      }
  yield { part: { records: noRecords(), ...once }, isLast: true }
}

/** Reads one body after the other and sends the result in parts, each on request. */
async function serve(port: MessagePort): Promise<void> {
  const say = (message: ReadMessage): void => port.postMessage(message)
  for (;;) {
    const [{ kind, feed, stream, body, received }] = (await once(port, 'message')) as [ReadTask]
    try {
      const adapter = adapterOf(adapters, { kind, version: feed.version })
      if (!adapter) throw new Error(`There is no adapter of ${kind} ${feed.version}`)
      for (const each of partsOf(adapter.read(feed, stream, body, received))) {
        say(each)
        if (!each.isLast) await once(port, 'message')
      }
    } catch (error) {
      say(
        error instanceof UnreadableBody
          ? { unreadable: error.message }
          : { parseError: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      )
    }
  }
}

if (parentPort) await serve(parentPort)
