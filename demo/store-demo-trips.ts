import { randomUUID } from 'node:crypto'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import type { App } from '#server/app.ts'
import { qualityOf } from '#server/ingest/quality-of.ts'
import { tripLineColumns, writeTrip } from '#server/ingest/trip-lines.ts'
import type { TripRow } from '#server/ingest/trip-row.ts'
import { countFactsVersion } from '#server/regions/facts-version.ts'
import { RowWriter } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, sql } from '#server/stores/sql.ts'
import type { City } from './city.ts'
import { generateTrips } from './make-trips.ts'
import { operators } from './operators.ts'
import type { DemoTrip } from './trips/demo-trip.ts'
import { tripIdOf } from './trips/made-id.ts'

export interface TripsToStore {
  regionId: string
  city: City
  seed: number
  from: string
  until: string
  at: Date
}

/** Days made at once: some 170,000 trips. */
const step = 30

/** What a phone's receiver tells, and no more: a tenth of a metre. */
const sixDecimals = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

/** Beside what a file tells: what a trip was made of. */
const columns = [...tripLineColumns, 'source'] as const
/** Operators with MDS told of their trips by feeds; the other sent files. */
const sources = new Map(operators.map(({ slug, providerId }) => [slug, providerId ? 'both' : 'file']))

/** Fills the row that stands for a trip; the same one again and again. */
function tellTrip(told: TripRow, trip: DemoTrip, city: City): void {
  told.tripId = tripIdOf(trip.tripNumber)
  told.operator = trip.operator
  told.vehicleType = trip.vehicleType
  told.vehicleId = trip.vehicleId
  told.startMs = trip.startMs
  told.endMs = trip.endMs
  told.day = trip.localDate
  told.hour = trip.localHour
  told.startLon = sixDecimals(trip.startLon)
  told.startLat = sixDecimals(trip.startLat)
  told.endLon = sixDecimals(trip.endLon)
  told.endLat = sixDecimals(trip.endLat)
  told.distanceM = Math.round(trip.distanceM)
  told.durationS = Math.round(trip.durationS)
  told.quality = qualityOf(told, city, false)
}

/** Makes and stores the trips; while one month is stored the next is made. Answers how many. */
export async function storeDemoTrips(
  { facts, state }: Pick<App, 'facts' | 'state'>,
  scope: Scope,
  { regionId, city, seed, from, until, at }: TripsToStore,
  progress: (share: number, trips: number) => void,
): Promise<number> {
  await facts.remove(scope, 'trips', sql`region_id = ${bind('String', regionId)}`)
  const importId = randomUUID()
  const [first, end] = [dayNumber(from), dayNumber(until)]
  const told: TripRow = {
    tripId: '',
    operator: '',
    vehicleType: '',
    vehicleId: '',
    startMs: 0,
    endMs: 0,
    day: 0,
    hour: 0,
    startLon: 0,
    startLat: 0,
    endLon: 0,
    endLat: 0,
    distanceM: 0,
    durationS: 0,
    quality: 0,
  }
  let trips = 0
  let flagged = 0
  let storing: Promise<void> = Promise.resolve()
  for (let day = first, chunk = 0; day < end; day += step, chunk++) {
    const rows = new RowWriter()
    generateTrips(city, {
      seed,
      from: dayFromNumber(day),
      until: dayFromNumber(Math.min(end, day + step)),
      emit: (trip) => {
        tellTrip(told, trip, city)
        if (told.quality) flagged++
        writeTrip(rows, told, regionId, importId, chunk, trips++, [sources.get(trip.operator) ?? 'file'])
      },
    })
    await storing
    storing = facts.insert(scope, 'trips', columns, regionId, rows.take())
    progress((Math.min(end, day + step) - first) / (end - first), trips)
  }
  await storing
  await state
    .as(scope)
    .insertInto('import')
    .values({
      import_id: importId,
      region_id: regionId,
      file_name: 'Port Meridian, a year of made-up trips',
      file_path: '',
      bytes: 0,
      content_hash: 'demo',
      header_hash: 'demo',
      status: 'done',
      layout: 'demo',
      mapping: null,
      rows_read: trips,
      rows_accepted: trips,
      rows_flagged: flagged,
      progress: 1,
      created_by: null,
      created_time: at,
      started_time: at,
    })
    .execute()
  await countFactsVersion(state, scope, regionId)
  return trips
}
