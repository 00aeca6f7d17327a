import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Import } from '#contract/ingest.ts'
import type { ApiClient } from './api-client.ts'

const said = (one: Import): string =>
  one.same_as
    ? `${one.file_name}: imported before (${one.rows_accepted} trips), nothing changed`
    : `${one.file_name}: ${one.rows_read} rows read, ${one.rows_accepted} accepted (${one.rows_flagged} flagged), ${one.rows_set_aside} set aside${one.problem ? `. ${one.problem}` : ''}`

/** Sends trip files one after the other and waits until all are in. Answers the exit code: 1 where one failed or waits for a mapping. */
export async function sendTrips(api: ApiClient, region: string, files: readonly string[], fixed: { operator: string | undefined; vehicleType: string | undefined }): Promise<number> {
  const start = performance.now()
  const sent: Import[] = []
  let bad = 0
  for (const file of files) {
    const query = new URLSearchParams({ file_name: path.basename(file), ...(fixed.operator ? { operator: fixed.operator } : {}), ...(fixed.vehicleType ? { vehicle_type: fixed.vehicleType } : {}) })
    try {
      sent.push((await api.sendFile(`/v2/regions/${region}/imports?${query}`, file)) as unknown as Import)
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
      now = { ...((await api.json('GET', `/v2/regions/${region}/imports/${one.import_uuid}`)) as unknown as Import), same_as: one.same_as }
    }
    console.log(now.status === 'needs_mapping' ? `${now.file_name}: its columns are not known. Open Trip files in the browser and map them.` : said(now))
    if (now.status !== 'done') bad++
    if (!now.same_as) {
      total.read += now.rows_read
      total.accepted += now.rows_accepted
      total.aside += now.rows_set_aside
    }
  }
  const seconds = (performance.now() - start) / 1000
  console.log(`${sent.length} files in ${seconds.toFixed(1)} s: ${total.read} rows read = ${total.accepted} accepted + ${total.aside} set aside`)
  return bad ? 1 : 0
}
