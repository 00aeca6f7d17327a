import type { StreamTest } from '#contract/feeds.ts'
import type { Read } from '../adapters/adapter.ts'

/** Records shown per list. */
const shown = 5

interface SampledList {
  name: string
  count: number
  first: unknown[]
}

const sample = (name: string, list: readonly unknown[]): SampledList => ({
  name,
  count: list.length,
  first: list.slice(0, shown).map((each) => plain(each)),
})

/** As JSON: undefined becomes null, bytes are left out. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown

/** The parsed lists with their first records; anything else becomes a list of one. */
function sampleRecords({ records, other }: Read): SampledList[] {
  const { findings: _findings, ...fleet } = records
  const lists = Object.entries(fleet)
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => sample(name, list as readonly unknown[]))
  if (other === undefined || other === null) return lists
  if (Array.isArray(other)) return [...lists, sample('records', other)]
  const within = Object.entries(other as Record<string, unknown>).filter(
    (entry): entry is [string, unknown[]] => Array.isArray(entry[1]),
  )
  return [
    ...lists,
    ...(within.length ? within.map(([name, list]) => sample(name, list)) : [sample('records', [other])]),
  ]
}

const maxReasons = 20

/** The content of a response, without storing it: number of records, the first of each list, and why others were rejected. */
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
      // Positions in lists differ from record to record, the reason does not.
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
      .slice(0, maxReasons),
  }
}
