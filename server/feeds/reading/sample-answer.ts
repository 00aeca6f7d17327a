import type { StreamTest } from '#contract/feeds.ts'
import type { Read } from '#server/ingest/adapters/adapter.ts'
import { sampleRecords, shown } from '../sample-records.ts'

const mostReasons = 20

/** What an answer holds, for those who look and do not store: how many records, the first of each list, and why others are set aside. */
export async function sampleAnswer(
  parts: AsyncIterable<Read>,
): Promise<Pick<StreamTest, 'read' | 'setAside' | 'reasons' | 'lists' | 'hasMore'>> {
  const lists = new Map<string, StreamTest['lists'][number]>()
  const reasons = new Map<string, number>()
  let [setAside, hasMore] = [0, false]
  for await (const read of parts) {
    for (const { name, count, first } of sampleRecords(read)) {
      const before = lists.get(name)
      lists.set(name, {
        name,
        count: count + (before?.count ?? 0),
        first: [...(before?.first ?? []), ...first].slice(0, shown),
      })
    }
    for (const { kind, field, reason } of read.records.findings) {
      if (kind !== 'schema') continue
      setAside++
      // Places in lists differ from record to record, the fault does not.
      const text = field ? `${field.replaceAll(/\[\d+\]/g, '[]')}: ${reason}` : reason
      reasons.set(text, (reasons.get(text) ?? 0) + 1)
    }
    hasMore = read.next !== null
  }
  return {
    read: [...lists.values()].reduce((sum, { count }) => sum + count, 0),
    setAside,
    hasMore,
    lists: [...lists.values()],
    reasons: [...reasons]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, mostReasons),
  }
}
