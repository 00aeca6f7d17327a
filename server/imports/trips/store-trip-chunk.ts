import { toQualityFlags } from '#contract/mobility.ts'
import type { Facts } from '#server/stores/facts.ts'
import { escapeField, unescapeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, identifier, joinSql, sql } from '#server/stores/sql.ts'
import type { TripChunk } from './read-trips.ts'
import { importedTripColumns } from '#server/fleet/trip-columns.ts'

/** The columns of the table of rejected rows. */
export const setAsideColumns = ['region_id', 'import_id', 'chunk', 'line', 'reason', 'detail', 'raw'] as const

/** The result of storing a chunk. */
export interface ChunkOutcome {
  accepted: number
  flagged: number
  setAside: number
  flags: Record<string, number>
  reasons: Record<string, number>
}

/** A staged trip that is stored already. */
interface DuplicateRow {
  line: string
  quality: number
  trip_id: string
  /** 1 if this import stored it, 0 if another one did. */
  is_own: number
}

const decrement = (counts: Record<string, number>, name: string): Record<string, number> => ({
  ...counts,
  [name]: (counts[name] ?? 0) - 1,
})

/** Serializes the retained fields of some lines of a chunk, as JSON by line. */
function serializeRetainedRows(
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
          Object.fromEntries(
            retainedColumns.map((name, index) => [name, unescapeField(fields[index] ?? '')]),
          ),
        ),
      )
  }
  return texts
}

interface ChunkTask {
  regionId: string
  importId: string
  chunk: TripChunk
}

/** Stages the trips of a chunk and moves the new ones by one insert. Returns those that are stored already. */
async function storeNewTrips(
  facts: Facts,
  scope: Scope,
  { regionId, importId, chunk }: ChunkTask,
): Promise<DuplicateRow[]> {
  const chunkCondition = sql`import_id = ${bind('UUID', importId)} and chunk = ${bind('UInt32', chunk.chunk)}`
  const stagedIdsSql = sql`select trip_id from ${factTable('trips_staging')} where ${chunkCondition}`
  await facts.emptyStaging(importId)
  await facts.insert(scope, 'trips_staging', {
    columns: importedTripColumns,
    regionId,
    lines: chunk.tripRows,
  })
  const storedTripsSql = sql`
    select trip_id, max(import_id = ${bind('UUID', importId)}) as is_own
    from ${factTable('trips')}
    where trip_id in (${stagedIdsSql})
    group by trip_id`
  const duplicates = await facts.rows<DuplicateRow>(
    scope,
    sql`
      select line, quality, trip_id, is_own
      from (select * from ${factTable('trips_staging')} where ${chunkCondition}) as staged
      inner join (${storedTripsSql}) as known using trip_id`,
    { limits: { seconds: 300 } },
  )
  const columns = joinSql(
    importedTripColumns.map((name) => identifier(name)),
    ', ',
  )
  await facts.add(scope, 'trips', {
    columns: importedTripColumns,
    rows: sql`
      select ${columns}
      from ${factTable('trips_staging')}
      where
        ${chunkCondition}
        and trip_id not in (
          select trip_id
          from ${factTable('trips')}
          where trip_id in (${stagedIdsSql})
        )`,
  })
  await facts.emptyStaging(importId)
  return duplicates
}

/**
 * Stores a chunk. Its trips are staged until duplicates of an earlier chunk or another file are found and
 * rejected, and then moved by one insert. `removeChunks` removes an interrupted chunk, which is then stored
 * again.
 */
export async function storeTripChunk(facts: Facts, scope: Scope, task: ChunkTask): Promise<ChunkOutcome> {
  const { regionId, importId, chunk } = task
  let { flags, reasons, flagged } = chunk
  const duplicates = chunk.trips ? await storeNewTrips(facts, scope, task) : []
  const rawByLine = duplicates.length
    ? serializeRetainedRows(chunk, new Set(duplicates.map(({ line }) => line)))
    : new Map<string, string>()
  const duplicateLines = duplicates.map(({ line, quality, trip_id, is_own: isOwn }) => {
    const reason = isOwn ? 'duplicate_in_file' : 'already_stored'
    reasons = { ...reasons, [reason]: (reasons[reason] ?? 0) + 1 }
    if (quality) flagged--
    for (const flag of toQualityFlags(quality)) flags = decrement(flags, flag)
    return `${regionId}\t${importId}\t${chunk.chunk}\t${line}\t${reason}\t${trip_id}\t${escapeField(rawByLine.get(line) ?? '{}')}\n`
  })
  const rejectedRows = Buffer.concat([chunk.rejectedRows, Buffer.from(duplicateLines.join(''))])
  if (rejectedRows.length)
    await facts.insert(scope, 'set_aside_rows', { columns: setAsideColumns, regionId, lines: rejectedRows })
  const setAside = Object.values(reasons).reduce((sum, count) => sum + count, 0)
  return { accepted: chunk.trips - duplicates.length, flagged, setAside, flags, reasons }
}

/** Removes the rows of an import's chunks from number `first` on. */
export async function removeChunks(
  facts: Facts,
  scope: Scope,
  importId: string,
  first: number,
): Promise<void> {
  const removedCondition = sql`import_id = ${bind('UUID', importId)} and chunk >= ${bind('UInt32', first)}`
  await facts.remove(scope, 'trips', removedCondition)
  await facts.remove(scope, 'set_aside_rows', removedCondition)
  await facts.emptyStaging(importId)
}
