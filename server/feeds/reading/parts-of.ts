import type { Read } from '#server/ingest/adapters/adapter.ts'
import { type FeedRecords, noRecords } from '#server/mobility/fleet/feed-records.ts'

/** Records of one part: few enough that handing them over keeps nobody waiting. */
export const recordsAPart = 4000

/** What was read of a large answer in parts; the last one has what there is but once. */
export function* partsOf({ records, ...once }: Read): Generator<{ part: Read; isLast: boolean }> {
  for (const [name, list] of Object.entries(records) as [keyof FeedRecords, FeedRecords[keyof FeedRecords]][])
    for (let from = 0; from < list.length; from += recordsAPart)
      yield {
        part: { records: { ...noRecords(), [name]: list.slice(from, from + recordsAPart) }, next: null },
        isLast: false,
      }
  yield { part: { records: noRecords(), ...once }, isLast: true }
}
