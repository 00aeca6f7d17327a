import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Viewer } from '#server/http/viewer.ts'
import { deleteImport, uploadTrips } from '#server/imports/manage-imports.ts'
import { findImportRow } from '#server/imports/read-import.ts'
import { generateTrips } from '../demo/trips/make-trips.ts'
import { type Bench, benchSeed } from './open-bench.ts'
import { type Report, measureMs } from './table.ts'

const rows = 500_000

/** Writes CSV files of demo trips, with about the same number of rows each, in a known layout. */
function writeFiles({ city, directory }: Bench, files: number): string[] {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: city.timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const header =
    'ride_id,rideable_type,started_at,ended_at,start_station_name,start_station_id,end_station_name,end_station_id,start_lat,start_lng,end_lat,end_lng,member_casual'
  const lines: string[] = []
  generateTrips(city, {
    seed: benchSeed,
    from: '2026-06-01',
    until: '2026-09-15',
    emit: (trip) => {
      if (lines.length < rows)
        lines.push(
          `${trip.tripNumber},electric_bike,${clock.format(trip.startMs)},${clock.format(trip.endMs)},,,,,${trip.startLat},${trip.startLon},${trip.endLat},${trip.endLon},member`,
        )
    },
  })
  const perFile = Math.ceil(lines.length / files)
  return Array.from({ length: files }, (_, index) => {
    const file = path.join(directory, `bench-trips-${files}-${index}.csv`)
    fs.writeFileSync(file, [header, ...lines.slice(index * perFile, (index + 1) * perFile)].join('\n') + '\n')
    return file
  })
}

/** Measures rows per second from the first received to the last stored row, for one and for 38 files. */
export async function benchImport(bench: Bench, report: Report): Promise<void> {
  const { app, scope, organizationId, regionId, directory } = bench
  const viewer: Viewer = {
    userId: 'bench',
    email: 'bench',
    organizationId,
    permissions: ['is_admin'],
    scope,
    mfaEnrollmentRequired: false,
    allRegions: true,
    admin: null,
    sessionId: 'bench',
  }
  const imports = {
    state: app.state,
    facts: app.facts,
    jobs: app.jobs,
    ahead: { drop: async () => undefined },
    dataDir: directory,
    blobs: app.blobs,
    now: () => new Date(),
  }
  const importFile = async (file: string): Promise<string> => {
    const received = await uploadTrips(imports, {
      viewer,
      params: { region_id: regionId },
      query: { file_name: path.basename(file) },
      body: fs.createReadStream(file),
      at: new Date(),
    })
    return received.import_uuid
  }
  const waitFor = async (importId: string): Promise<void> => {
    let row = await findImportRow(app.state.as(scope), regionId, importId)
    while (row.status === 'queued' || row.status === 'running') {
      await wait(50)
      row = await findImportRow(app.state.as(scope), regionId, importId)
    }
    if (row.status !== 'done') throw new Error(`The import ended as ${row.status}`)
  }
  for (const count of [1, 38]) {
    report.log(`import: writing ${count} files`)
    const files = writeFiles(bench, count)
    const speeds: number[] = []
    for (let run = 0; run < 3; run++) {
      const importIds: string[] = []
      const ms = await measureMs(async () => {
        for (const file of files) importIds.push(await importFile(file))
        for (const importId of importIds) await waitFor(importId)
      })
      speeds.push((1000 * rows) / ms)
      for (const importId of importIds)
        await deleteImport(imports, { viewer, params: { region_id: regionId, import_uuid: importId } })
    }
    report.add(
      `import of ${rows.toLocaleString('en-US')} rows in ${count === 1 ? 'one file' : `${count} files`}`,
      'rows/s',
      speeds,
    )
  }
}
