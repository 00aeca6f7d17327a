import type { Read } from '#server/ingest/adapters/adapter.ts'

/** Records shown of each list. */
export const shown = 5

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

/** As JSON holds it: not known is null, bytes and the like are left out. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown

/** The lists that were read, with their first records; what is no list stands as a list of itself. */
export function sampleRecords({ records, other }: Read): SampledList[] {
  const { findings: _said, ...fleet } = records
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
