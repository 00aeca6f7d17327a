import type { StreamTest } from '#contract/feeds.ts'
import type { ReadResult } from '../adapters/adapter.ts'

/** The number of records of a list in the sample. */
const sampleSize = 5
/** The number of different reasons in the sample. */
const maxReasons = 20

interface SampledList {
  name: string
  count: number
  first: unknown[]
}

const sampleList = (name: string, list: readonly unknown[]): SampledList => ({
  name,
  count: list.length,
  first: list.slice(0, sampleSize).map(toPlainJson),
})

/** Returns a value as it is in JSON, without undefined fields and with null instead of NaN. */
const toPlainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown

/** Returns the lists of a result with their first records. Other content becomes a list with one entry. */
function sampleRecords({ records, other }: ReadResult): SampledList[] {
  const { findings: _findings, ...fleet } = records
  const lists = Object.entries(fleet)
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => sampleList(name, list as readonly unknown[]))
  if (other === undefined || other === null) return lists
  if (Array.isArray(other)) return [...lists, sampleList('records', other)]
  const listsInOther = Object.entries(other as Record<string, unknown>).filter(
    (entry): entry is [string, unknown[]] => Array.isArray(entry[1]),
  )
  return [
    ...lists,
    ...(listsInOther.length
      ? listsInOther.map(([name, list]) => sampleList(name, list))
      : [sampleList('records', [other])]),
  ]
}

/** Summarizes a response: the number of records, the first of each list, and reasons for rejections. */
export async function sampleResponse(
  parts: AsyncIterable<ReadResult>,
): Promise<Pick<StreamTest, 'read' | 'setAside' | 'reasons' | 'lists' | 'hasMore'>> {
  const lists = new Map<string, StreamTest['lists'][number]>()
  const reasons = new Map<string, number>()
  let setAside = 0
  let hasMore = false
  for await (const result of parts) {
    for (const { name, count, first } of sampleRecords(result)) {
      const previous = lists.get(name)
      lists.set(name, {
        name,
        count: count + (previous?.count ?? 0),
        first: [...(previous?.first ?? []), ...first].slice(0, sampleSize),
      })
    }
    for (const { kind, field, reason } of result.records.findings) {
      if (kind !== 'schema') continue
      setAside++
      // Indices are removed, so that the same error of several records counts as one reason.
      const text = field ? `${field.replaceAll(/\[\d+\]/g, '[]')}: ${reason}` : reason
      reasons.set(text, (reasons.get(text) ?? 0) + 1)
    }
    hasMore = result.next !== null
  }
  return {
    read: [...lists.values()].reduce((sum, { count }) => sum + count, 0),
    setAside,
    hasMore,
    lists: [...lists.values()],
    reasons: [...reasons]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, maxReasons),
  }
}
