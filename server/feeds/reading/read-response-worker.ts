import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { type FeedRecords, noRecords } from '#server/fleet/events/feed-records.ts'
import { UnreadableBody, type ReadResult } from '../adapters/adapter.ts'
import { adapters, findAdapter } from '../adapters/list.ts'
import type { ReadMessage, ReadTask } from './reading-thread.ts'

/** The number of records per part, few enough that transferring them does not block the main thread. */
export const recordsPerPart = 4000

/** Splits a large result into parts. The last part contains everything that is not a list of records. */
function* splitIntoParts({
  records,
  ...otherFields
}: ReadResult): Generator<{ part: ReadResult; isLast: boolean }> {
  for (const [name, list] of Object.entries(records) as [keyof FeedRecords, FeedRecords[keyof FeedRecords]][])
    for (let start = 0; start < list.length; start += recordsPerPart)
      yield {
        part: { records: { ...noRecords(), [name]: list.slice(start, start + recordsPerPart) }, next: null },
        isLast: false,
      }
  yield { part: { records: noRecords(), ...otherFields }, isLast: true }
}

/** Reads one body after the other and sends the result in parts; those after the first on request. */
async function serve(port: MessagePort): Promise<void> {
  const send = (message: ReadMessage): void => port.postMessage(message)
  for (;;) {
    const [{ kind, feed, stream, body, received }] = (await once(port, 'message')) as [ReadTask]
    try {
      const adapter = findAdapter(adapters, { kind, version: feed.version })
      if (!adapter) throw new Error(`There is no adapter of ${kind} ${feed.version}`)
      for (const responsePart of splitIntoParts(adapter.read(feed, stream, body, received))) {
        send(responsePart)
        if (!responsePart.isLast) await once(port, 'message')
      }
    } catch (error) {
      send(
        error instanceof UnreadableBody
          ? { unreadable: error.message }
          : { parseError: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      )
    }
  }
}

if (parentPort) await serve(parentPort)
