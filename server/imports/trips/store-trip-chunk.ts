import { toQualityFlags } from '#contract/mobility.ts'
import type { Facts } from '#server/stores/facts.ts'
import { escapeField, unescapeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, identifier, joinSql, sql } from '#server/stores/sql.ts'
import type { TripChunk } from './read-trips.ts'
import { importedTripColumns } from '#server/fleet/trip-columns.ts'

export const setAsideColumns = ['region_id', 'import_id', 'chunk', 'line', 'reason', 'detail', 'raw'] as const

export interface ChunkOutcome {
  accepted: number
  flagged: number
  setAside: number
  flags: Record<string, number>
  reasons: Record<string, number>
}

interface Repeated {
  line: string
  quality: number
  trip_id: string
  same: number
}

const less = (counts: Record<string, number>, name: string): Record<string, number> => ({
  ...counts,
  [name]: (counts[name] ?? 0) - 1,
})

/** The retained fields of some lines of a chunk, as JSON. */
function retainedTexts(
  { retainedRows, retainedColumns }: TripChunk,
  lines: ReadonlySet<string>,
): Map<string, string> {
  const texts = new Map<string, string>()
  for (const row of Buffer.from(retainedRows.buffer).toString('utf8').split('\n')) {
    const [line = '', ...fields] = row.split('\t')
    if (lines.has(line))
      texts.set(
        line,
        JSON.stringify(
          Object.fromEntries(retainedColumns.map((name, at) => [name, unescapeField(fields[at] ?? '')])),
        ),
      )
  }
  return texts
}

/**
 * Stores a chunk: its trips are staged until duplicates (of an earlier chunk or another file) are found and rejected, then moved in one
 * insert. An interrupted chunk is removed by `removeChunks` and stored again.
 */
export async function storeTripChunk(
  store: Facts,
  scope: Scope,
  regionId: string,
  importId: string,
  given: TripChunk,
): Promise<ChunkOutcome> {
  let { flags, reasons, flagged } = given
  const isThis = sql`import_id = ${bind('UUID', importId)} and chunk = ${bind('UInt32', given.chunk)}`
  const staged = sql`select trip_id from ${facts('trips_staging')} where ${isThis}`
  let repeated: Repeated[] = []
  if (given.trips) {
    await store.emptyStaging(importId)
    await store.insert(scope, 'trips_staging', importedTripColumns, regionId, given.tripRows)
    const known = sql`select trip_id, max(import_id = ${bind('UUID', importId)}) as same from ${facts('trips')} where trip_id in (${staged}) group by trip_id`
    repeated = await store.rows<Repeated>(
      scope,
      sql`select line, quality, trip_id, same from (select * from ${facts('trips_staging')} where ${isThis}) as staged inner join (${known}) as known using trip_id`,
      { limits: { seconds: 300 } },
    )
    const columns = joinSql(
      importedTripColumns.map((name) => identifier(name)),
      ', ',
    )
    await store.add(
      scope,
      'trips',
      importedTripColumns,
      sql`select ${columns} from ${facts('trips_staging')} where ${isThis} and trip_id not in (select trip_id from ${facts('trips')} where trip_id in (${staged}))`,
    )
    await store.emptyStaging(importId)
  }
  const rawOf = repeated.length
    ? retainedTexts(given, new Set(repeated.map(({ line }) => line)))
    : new Map<string, string>()
  const lines = repeated.map(({ line, quality, trip_id, same }) => {
    const reason = same ? 'duplicate_in_file' : 'already_stored'
    reasons = { ...reasons, [reason]: (reasons[reason] ?? 0) + 1 }
    if (quality) flagged--
    for (const flag of toQualityFlags(quality)) flags = less(flags, flag)
    return `${regionId}\t${importId}\t${given.chunk}\t${line}\t${reason}\t${trip_id}\t${escapeField(rawOf.get(line) ?? '{}')}\n`
  })
  const aside = Buffer.concat([given.asideLines, Buffer.from(lines.join(''))])
  if (aside.length) await store.insert(scope, 'set_aside_rows', setAsideColumns, regionId, aside)
  const setAside = Object.values(reasons).reduce((sum, count) => sum + count, 0)
  return { accepted: given.trips - repeated.length, flagged, setAside, flags, reasons }
}

/** Removes what chunks from `first` on may have left behind. */
export async function removeChunks(
  store: Facts,
  scope: Scope,
  importId: string,
  first: number,
): Promise<void> {
  const from = sql`import_id = ${bind('UUID', importId)} and chunk >= ${bind('UInt32', first)}`
  await store.remove(scope, 'trips', from)
  await store.remove(scope, 'set_aside_rows', from)
  await store.emptyStaging(importId)
}
