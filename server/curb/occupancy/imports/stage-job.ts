import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Log } from '#server/jobs/log.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { encodeLines, escapeField } from '#server/stores/row-text.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, sql } from '#server/stores/sql.ts'
import type { State, Store } from '#server/stores/state.ts'
import { CurbFileError } from '../../imports/curb-format.ts'
import { openCurbFile, removeCurbFiles } from '../../imports/curb-files.ts'
import { toJsonText } from '../../imports/json-text.ts'
import type { CountCell, CountSink } from './count-sink.ts'
import {
  type CountImportRow,
  type CountReport,
  getFiles,
  createEmptyReport,
  readOptions,
} from './import-store.ts'
import { matchPlace, readZoneNames } from './match-places.ts'
import { readCountFile, inspectCounts } from './stage-counts.ts'

export interface CountStaging {
  state: State
  facts: Facts
  blobs: BlobStore
  log: Log
  now: () => Date
}

export const stageCountsJob = { name: 'stage-curb-counts' }

/** A lease that is not renewed for this long expires; then another server stages the import again. */
const leaseMs = 120_000
/** How often the report is saved and the lease renewed. */
const heartbeatMs = 2000
const rowsPerInsert = 500
/** Columns of `curb_counts`, in the order of stored rows. */
export const countColumns = [
  'region_id',
  'import_id',
  'day',
  'hour',
  'place',
  'source',
  'occupied_ms',
  'known_ms',
  'unknown_ms',
  'closed_ms',
  'spaces',
  'is_share',
] as const

/** Creates the job that stages received files of counts. */
export function createStageCountsJob(staging: CountStaging): Job {
  return {
    ...stageCountsJob,
    description: 'Reads received files of counts at the curb and matches their places',
    async run(stop) {
      for (let next = await claimNext(staging); next && !stop.aborted; next = await claimNext(staging))
        await stageImport(staging, next, stop)
    },
  }
}

/** Finds the oldest import to stage that no server is staging. */
const findDueImport = ({ state, now }: Pick<CountStaging, 'state' | 'now'>) =>
  state
    .as(systemScope)
    .selectFrom('curb_count_import')
    .innerJoin('region', 'region.region_id', 'curb_count_import.region_id')
    .selectAll('curb_count_import')
    .select('region.organization_id')
    .where('curb_count_import.status', '=', 'staging')
    .where((eb) =>
      eb.or([
        eb('curb_count_import.lease_until', 'is', null),
        eb('curb_count_import.lease_until', '<', now()),
      ]),
    )
    .orderBy('curb_count_import.created_time')
    .limit(1)
    .executeTakeFirst()

export const hasDueCounts = async (staging: Pick<CountStaging, 'state' | 'now'>): Promise<boolean> =>
  (await findDueImport(staging)) !== undefined

type ClaimedImport = CountImportRow & { organization_id: string }

/** Leases the next import to this server; null if there is none. */
async function claimNext(staging: CountStaging): Promise<ClaimedImport | null> {
  for (;;) {
    const due = await findDueImport(staging)
    if (!due) return null
    const { numUpdatedRows } = await staging.state
      .as(systemScope)
      .updateTable('curb_count_import')
      .set({ lease_until: new Date(staging.now().getTime() + leaseMs) })
      .where('import_id', '=', due.import_id)
      .where('status', '=', 'staging')
      .where((eb) =>
        due.lease_until === null ? eb('lease_until', 'is', null) : eb('lease_until', '=', due.lease_until),
      )
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return due
  }
}

/** Thrown if an import was deleted or claimed by another server while it was staged. */
class Superseded extends Error {}

/** Stages a file of counts. A failed one gets its problem; one that is interrupted is staged again later. */
async function stageImport(staging: CountStaging, row: ClaimedImport, stop: AbortSignal): Promise<void> {
  const { state, log } = staging
  const scope = regionScope(row.organization_id, row.region_id)
  const finish = (changes: { status: string; problem: string | null; files?: string }) =>
    state
      .as(scope)
      .updateTable('curb_count_import')
      .set({ ...changes, lease_until: null })
      .where('import_id', '=', row.import_id)
      .where('status', '=', 'staging')
      .executeTakeFirst()
  try {
    await removeStaged(staging, scope, row.import_id)
    const layout = await stageFile(staging, scope, row, stop)
    // Surveys contain parts of plates, so their file is removed.
    const hasPersonalData = layout === 'survey'
    if (hasPersonalData) await removeCurbFiles(staging.blobs, getFiles(row))
    await finish({ status: 'staged', problem: null, ...(hasPersonalData ? { files: '[]' } : {}) })
  } catch (error) {
    if (error instanceof Superseded) return
    if (stop.aborted) return void (await finish({ status: 'staging', problem: null }))
    if (!(error instanceof CurbFileError))
      log('curb counts', {
        importId: row.import_id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    await removeStaged(staging, scope, row.import_id)
    const problem =
      error instanceof CurbFileError
        ? error.message
        : 'The server could not read this file. Try again, or send it to those who run the server.'
    await finish({ status: 'failed', problem })
  }
}

/** Removes the staged counts, findings and places of an import. */
export async function removeStaged(
  { state, facts }: Pick<CountStaging, 'state' | 'facts'>,
  scope: Scope,
  importId: string,
): Promise<void> {
  const [countRow] = await facts.rows<{ row_count: string }>(
    scope,
    sql`
      select toString(count()) as row_count
      from ${factTable('curb_counts')}
      where import_id = ${bind('UUID', importId)}`,
  )
  if (Number(countRow?.row_count ?? 0) > 0)
    await facts.remove(scope, 'curb_counts', sql`import_id = ${bind('UUID', importId)}`)
  for (const table of ['curb_count_finding', 'curb_count_place'] as const)
    await state.as(scope).deleteFrom(table).where('import_id', '=', importId).execute()
}

/** Reads the file of an import and stores its counts, findings, places and report. Returns its layout. */
async function stageFile(
  staging: CountStaging,
  scope: Scope,
  row: ClaimedImport,
  stop: AbortSignal,
): Promise<string> {
  const { state, facts, now } = staging
  const [stored] = getFiles(row)
  if (!stored) throw new CurbFileError('The received file is no longer on the server. Send it again.')
  const file = await openCurbFile(staging.blobs, stored)
  const { timezone } = await findRegion(state, scope, row.region_id)
  const inspected = await inspectCounts(file)
  const days = new Set<string>()
  let heartbeatAt = now().getTime()
  const sink = await readCountFile(file, inspected, {
    timezone,
    options: readOptions(row),
    now: now().getTime(),
    async store(cells) {
      for (const { day } of cells) days.add(day)
      if (cells.length)
        await facts.insert(scope, 'curb_counts', {
          columns: countColumns,
          regionId: row.region_id,
          lines: toLines(row, cells),
          areDistinct: true,
        })
    },
    async onProgress(progress) {
      stop.throwIfAborted()
      if (now().getTime() - heartbeatAt < heartbeatMs) return
      heartbeatAt = now().getTime()
      await saveReport(state.as(scope), row.import_id, {
        report: createReport(progress, days),
        leaseUntil: new Date(heartbeatAt + leaseMs),
      })
    },
  })
  if (sink.rows === 0) throw new CurbFileError('The file has no rows.')
  await storeFindings(state.as(scope), row, sink)
  await storePlaces(state, scope, row, sink)
  const { layout } = inspected.columns
  await saveReport(state.as(scope), row.import_id, {
    report: createReport(sink, days),
    leaseUntil: new Date(now().getTime() + leaseMs),
    layout,
  })
  return layout
}

const toLines = ({ region_id, import_id }: CountImportRow, cells: readonly CountCell[]): Buffer =>
  encodeLines(
    cells,
    ({ day, hour, place, source, values }) =>
      `${escapeField(region_id)}\t${import_id}\t${day}\t${hour}\t${escapeField(place)}\t${source}\t${values.join('\t')}\n`,
  )

function createReport(sink: CountSink, days: ReadonlySet<string>): CountReport {
  // Hours with 5 decimal digits, from ms.
  const toHours = (ms = 0): number => Math.round(ms / 36) / 100_000
  return {
    ...createEmptyReport(),
    rows: sink.rows,
    accepted: sink.accepted,
    set_aside: sink.setAside,
    codes: Object.fromEntries(sink.codes),
    first_day: sink.firstDay,
    last_day: sink.lastDay,
    days: [...days].toSorted(),
    sources: [sink.source],
    profile: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      occupied_hours: toHours(sink.profile[hour * 2]),
      known_hours: toHours(sink.profile[hour * 2 + 1]),
    })).filter(({ known_hours: known }) => known > 0),
  }
}

/** Saves the report and renews the lease. @throws Superseded if this server no longer stages the import. */
async function saveReport(
  store: Store,
  importId: string,
  { report, leaseUntil, layout }: { report: CountReport; leaseUntil: Date; layout?: string },
): Promise<void> {
  const { numUpdatedRows } = await store
    .updateTable('curb_count_import')
    .set({ report: toJsonText(report), lease_until: leaseUntil, ...(layout === undefined ? {} : { layout }) })
    .where('import_id', '=', importId)
    .where('status', '=', 'staging')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Superseded()
}

async function storeFindings(store: Store, row: CountImportRow, sink: CountSink): Promise<void> {
  // Findings about a place have row 0; negative numbers keep them distinct.
  const rows = sink.findings.map((finding, index) => ({
    import_id: row.import_id,
    region_id: row.region_id,
    row: finding.row || -index,
    code: finding.code,
    is_set_aside: finding.isSetAside,
    message: finding.message,
    source: finding.source,
  }))
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await store
      .insertInto('curb_count_finding')
      .values(rows.slice(start, start + rowsPerInsert))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

async function storePlaces(state: State, scope: Scope, row: CountImportRow, sink: CountSink): Promise<void> {
  const since = new Date(Date.parse(sink.firstDay ?? '1970-01-01'))
  const names = await readZoneNames(state, scope, row.region_id, since)
  const rows = [...sink.places.values()].map(({ place, rows: count, spaces }) => {
    const { zoneIds, match, distance } = matchPlace(place, names)
    return {
      import_id: row.import_id,
      region_id: row.region_id,
      place: place.key,
      label: place.label,
      rows: count,
      spaces: spaces || null,
      match,
      zone_ids: JSON.stringify(zoneIds),
      distance_m: distance,
    }
  })
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await state
      .as(scope)
      .insertInto('curb_count_place')
      .values(rows.slice(start, start + rowsPerInsert))
      .execute()
}
