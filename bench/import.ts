import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Viewer } from '#server/http/viewer.ts'
import { deleteImport, takeTripFile } from '#server/ingest/manage-imports.ts'
import { findImportRow } from '#server/ingest/read-import.ts'
import { generateTrips } from '../demo/make-trips.ts'
import { type Bench, benchSeed } from './open-bench.ts'
import { type Report, timed } from './table.ts'

const rows = 500_000

/** A CSV file of demo trips in a layout that is known by its header. */
function writeFile({ city, directory }: Bench): string {
  const file = path.join(directory, 'bench-trips.csv')
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: city.timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const lines = [
    'ride_id,rideable_type,started_at,ended_at,start_station_name,start_station_id,end_station_name,end_station_id,start_lat,start_lng,end_lat,end_lng,member_casual',
  ]
  generateTrips(city, {
    seed: benchSeed,
    from: '2026-06-01',
    until: '2026-09-15',
    emit: (trip) => {
      if (lines.length <= rows)
        lines.push(
          `${trip.tripNumber},electric_bike,${clock.format(trip.startMs)},${clock.format(trip.endMs)},,,,,${trip.startLat},${trip.startLon},${trip.endLat},${trip.endLon},member`,
        )
    },
  })
  fs.writeFileSync(file, lines.join('\n') + '\n')
  return file
}

/** Rows per second of one file, from its receipt to the last stored row. */
export async function benchImport(bench: Bench, report: Report): Promise<void> {
  report.say('import: writing a file')
  const file = writeFile(bench)
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
    runner: app.runner,
    dataDir: directory,
    now: () => new Date(),
  }
  const speeds: number[] = []
  for (let run = 0; run < 3; run++) {
    let importId = ''
    const ms = await timed(async () => {
      const received = await takeTripFile(
        imports,
        viewer,
        regionId,
        { file_name: 'bench-trips.csv' },
        fs.createReadStream(file),
        new Date(),
      )
      importId = received.import_uuid
      let row = await findImportRow(app.state, scope, regionId, importId)
      while (row.status === 'queued' || row.status === 'running') {
        await wait(50)
        row = await findImportRow(app.state, scope, regionId, importId)
      }
      if (row.status !== 'done') throw new Error(`The import ended as ${row.status}`)
    })
    speeds.push((1000 * rows) / ms)
    await deleteImport(imports, viewer, regionId, importId)
  }
  report.add(`import of a file with ${rows.toLocaleString('en-US')} rows`, 'rows/s', speeds)
}
