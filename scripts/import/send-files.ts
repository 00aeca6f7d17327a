import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Import } from '#contract/imports.ts'
import type { ApiClient } from './api-client.ts'

/** Pause between two requests for the state of an import. */
const pollMs = 300

/**
 * Converts a time such as `2026-08-08T08:51Z` or `2026-08-08 08:51+02:00` to the ISO form in UTC. Seconds are
 * optional; a zone is required because the time would be ambiguous without. Throws an Error otherwise.
 */
export function parseSnapshotTime(text: string): string {
  const [, day, minute, seconds = ':00', zone] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i.exec(text.trim()) ?? []
  const instant = day && zone && new Date(`${day}T${minute}${seconds}${zone.toUpperCase()}`)
  if (!instant || Number.isNaN(instant.getTime()))
    throw new Error(
      `--snapshot-time ${text} is not a full time: write a date, a time and a zone, as in 2026-08-08T08:51Z or 2026-08-08T04:51-04:00.`,
    )
  return instant.toISOString()
}

/** Names of the rows of each kind of import. */
const rowNames = {
  trips: 'trips',
  issues: '311 issues',
  weather: 'days of weather',
  snapshot: 'vehicles',
} as const

/** Messages about what an import still needs. */
const requirementTexts = {
  mapping: 'its columns are not known: open Files in the browser and map them',
  stations: 'it has stations and no coordinates: add --stations with the file of its stations',
  snapshot_time: 'its time is unknown: add --snapshot-time',
  operator: 'its operator is unknown: add --operator',
  date_order: 'add --date-order dmy, mdy or ymd',
  outside_region: 'add --accept-outside if these rows are wanted',
} as const

/** Returns one line about the state or result of an import. */
function describeImport(item: Import): string {
  if (item.status === 'needs_mapping')
    return `${item.file_name}: ${[...item.notes, item.asks.map((ask) => requirementTexts[ask]).join('; ')].join(' ')}.`
  if (item.same_as)
    return `${item.file_name}: imported before (${item.rows_accepted} ${rowNames[item.kind]}), nothing changed`
  const layout = item.layout ? ` (${item.layout})` : ''
  const flagged = item.kind === 'trips' ? ` (${item.rows_flagged} flagged)` : ''
  const reasons = Object.entries(item.reasons)
    .map(([reason, rows]) => `${reason} ${rows}`)
    .join(', ')
  const counts = `${item.rows_read} rows read, ${item.rows_accepted} accepted${flagged}, ${item.rows_rejected} set aside`
  const summary = `${item.file_name}: ${rowNames[item.kind]}${layout}, ${counts}${reasons ? `: ${reasons}` : ''}`
  return [summary, ...item.notes, item.problem].filter(Boolean).join('. ')
}

/** Options of the command, which apply to all its files. */
interface SendOptions {
  operator: string | undefined
  vehicleType: string | undefined
  snapshotTime: string | undefined
  dateOrder: string | undefined
  acceptOutside: boolean | undefined
  /** A file of the stations of trips that have no coordinates. */
  stations: string | undefined
}

/** Sends the stations for an import that needs them, and starts it. Returns the started import. */
async function sendStations(
  api: ApiClient,
  { item, importPath, stationsFile }: { item: Import; importPath: string; stationsFile: string },
  options: SendOptions,
): Promise<Import> {
  const counts = await api.sendFile(
    `${importPath}/stations?${new URLSearchParams({ file_name: path.basename(stationsFile) })}`,
    stationsFile,
  )
  const skipped = counts['skipped'] ? `, ${String(counts['skipped'])} records without a place` : ''
  console.log(`${item.file_name}: places of ${String(counts['stations'])} stations${skipped}`)
  const body = {
    ...(options.dateOrder ? { date_order: options.dateOrder } : {}),
    ...(options.acceptOutside ? { accept_outside: true } : {}),
  }
  return (await api.json('POST', `${importPath}/start`, body)) as unknown as Import
}

/** Sends files in turn and waits for their imports. Returns the exit code: 1 if one failed or needs input. */
export async function sendFiles(
  api: ApiClient,
  region: string,
  files: readonly string[],
  options: SendOptions,
): Promise<number> {
  const { operator, vehicleType, snapshotTime, dateOrder, acceptOutside, stations } = options
  const start = performance.now()
  const sent: Import[] = []
  let failed = 0
  for (const file of files) {
    const query = new URLSearchParams({
      file_name: path.basename(file),
      ...(operator ? { operator } : {}),
      ...(vehicleType ? { vehicle_type: vehicleType } : {}),
      ...(snapshotTime ? { snapshot_time: parseSnapshotTime(snapshotTime) } : {}),
      ...(dateOrder ? { date_order: dateOrder } : {}),
      ...(acceptOutside ? { accept_outside: 'true' } : {}),
    })
    try {
      let item = (await api.sendFile(`/v2/regions/${region}/imports?${query}`, file)) as unknown as Import
      if (stations && item.status === 'needs_mapping' && item.asks.includes('stations')) {
        const importPath = `/v2/regions/${region}/imports/${item.import_uuid}`
        item = await sendStations(api, { item, importPath, stationsFile: stations }, options)
      }
      sent.push(item)
    } catch (error) {
      failed++
      console.error(`${path.basename(file)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const total = { read: 0, accepted: 0, aside: 0 }
  for (const upload of sent) {
    let item = upload
    while (item.status === 'queued' || item.status === 'running') {
      await wait(pollMs)
      const importPath = `/v2/regions/${region}/imports/${upload.import_uuid}`
      const current = (await api.json('GET', importPath)) as unknown as Import
      // Only the response to the upload says whether the file was imported before.
      item = { ...current, same_as: upload.same_as }
    }
    console.log(describeImport(item))
    if (item.status !== 'done') failed++
    if (!item.same_as) {
      total.read += item.rows_read
      total.accepted += item.rows_accepted
      total.aside += item.rows_rejected
    }
  }
  const seconds = (performance.now() - start) / 1000
  console.log(
    `${sent.length} files in ${seconds.toFixed(1)} s: ${total.read} rows read = ${total.accepted} accepted + ${total.aside} set aside`,
  )
  return failed ? 1 : 0
}
