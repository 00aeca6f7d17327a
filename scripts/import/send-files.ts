import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Import } from '#contract/imports.ts'
import type { ApiClient } from './api-client.ts'

/** A moment as people write it, in full: `2026-08-08T08:51Z` and `2026-08-08 08:51+02:00` are as good as with seconds. Without a zone nobody knows which moment is meant. */
export function momentOf(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i.exec(text.trim())
  const moment = parts && new Date(`${parts[1]}T${parts[2]}${parts[3] ?? ':00'}${parts[4]!.toUpperCase()}`)
  if (!moment || Number.isNaN(moment.getTime()))
    throw new Error(
      `--snapshot-time ${text} is no moment: write a date, a time and a zone, as in 2026-08-08T08:51Z or 2026-08-08T04:51-04:00.`,
    )
  return moment.toISOString()
}

/** What a file of each kind holds. */
const holds = {
  trips: 'trips',
  issues: '311 issues',
  weather: 'days of weather',
  snapshot: 'vehicles',
} as const

/** Missing columns, and the messages about them. */
const requirementTexts = {
  mapping: 'its columns are not known: open Files in the browser and map them',
  stations: 'it has stations and no coordinates: add --stations with the file of its stations',
  snapshot_time: 'its time is unknown: add --snapshot-time',
  operator: 'its operator is unknown: add --operator',
  date_order: 'add --date-order dmy, mdy or ymd',
  outside_region: 'add --accept-outside if these rows are wanted',
} as const

/** One line about a file. */
export function said(one: Import): string {
  if (one.status === 'needs_mapping')
    return `${one.file_name}: ${[...one.notes, one.asks.map((each) => requirementTexts[each]).join('; ')].join(' ')}.`
  if (one.same_as)
    return `${one.file_name}: imported before (${one.rows_accepted} ${holds[one.kind]}), nothing changed`
  const flagged = one.kind === 'trips' ? ` (${one.rows_flagged} flagged)` : ''
  const why = Object.entries(one.reasons)
    .map(([reason, rows]) => `${reason} ${rows}`)
    .join(', ')
  const read = `${one.file_name}: ${holds[one.kind]}${one.layout ? ` (${one.layout})` : ''}, ${one.rows_read} rows read, ${one.rows_accepted} accepted${flagged}, ${one.rows_rejected} set aside${why ? `: ${why}` : ''}`
  return [read, ...one.notes, one.problem].filter(Boolean).join('. ')
}

/** Options of the command that hold for all its files. */
export interface Fixed {
  operator: string | undefined
  vehicleType: string | undefined
  snapshotTime: string | undefined
  dateOrder: string | undefined
  acceptOutside: boolean | undefined
  /** A file of the stations of trips that have no coordinates. */
  stations: string | undefined
}

/** Sends the stations of a file that waits for them, and starts it. Answers it as it is then. */
async function sendStations(
  api: ApiClient,
  region: string,
  one: Import,
  stations: string,
  fixed: Fixed,
): Promise<Import> {
  const at = `/v2/regions/${region}/imports/${one.import_uuid}`
  const found = await api.sendFile(
    `${at}/stations?${new URLSearchParams({ file_name: path.basename(stations) })}`,
    stations,
  )
  console.log(
    `${one.file_name}: places of ${String(found['stations'])} stations${found['skipped'] ? `, ${String(found['skipped'])} records without a place` : ''}`,
  )
  const answers = {
    ...(fixed.dateOrder ? { date_order: fixed.dateOrder } : {}),
    ...(fixed.acceptOutside ? { accept_outside: true } : {}),
  }
  return (await api.json('POST', `${at}/start`, answers)) as unknown as Import
}

/** Sends files one after the other and waits until all are in. Answers the exit code: 1 where one failed or waits for what it does not tell. */
export async function sendFiles(
  api: ApiClient,
  region: string,
  files: readonly string[],
  fixed: Fixed,
): Promise<number> {
  const { operator, vehicleType, snapshotTime, dateOrder, acceptOutside, stations } = fixed
  const start = performance.now()
  const sent: Import[] = []
  let bad = 0
  for (const file of files) {
    const query = new URLSearchParams({
      file_name: path.basename(file),
      ...(operator ? { operator } : {}),
      ...(vehicleType ? { vehicle_type: vehicleType } : {}),
      ...(snapshotTime ? { snapshot_time: momentOf(snapshotTime) } : {}),
      ...(dateOrder ? { date_order: dateOrder } : {}),
      ...(acceptOutside ? { accept_outside: 'true' } : {}),
    })
    try {
      let one = (await api.sendFile(`/v2/regions/${region}/imports?${query}`, file)) as unknown as Import
      if (stations && one.status === 'needs_mapping' && one.asks.includes('stations'))
        one = await sendStations(api, region, one, stations, fixed)
      sent.push(one)
    } catch (error) {
      bad++
      console.error(`${path.basename(file)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const total = { read: 0, accepted: 0, aside: 0 }
  for (const one of sent) {
    let now = one
    while (now.status === 'queued' || now.status === 'running') {
      await wait(300)
      now = {
        ...((await api.json('GET', `/v2/regions/${region}/imports/${one.import_uuid}`)) as unknown as Import),
        same_as: one.same_as,
      }
    }
    console.log(said(now))
    if (now.status !== 'done') bad++
    if (!now.same_as) {
      total.read += now.rows_read
      total.accepted += now.rows_accepted
      total.aside += now.rows_rejected
    }
  }
  const seconds = (performance.now() - start) / 1000
  console.log(
    `${sent.length} files in ${seconds.toFixed(1)} s: ${total.read} rows read = ${total.accepted} accepted + ${total.aside} set aside`,
  )
  return bad ? 1 : 0
}
