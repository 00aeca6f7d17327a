import { describe, expect, it } from 'vitest'
import type { App } from '#server/app.ts'
import type { InsertedRows } from '#server/stores/facts.ts'
import { importedTripColumns } from '#server/fleet/trip-columns.ts'
import { regionScope } from '#server/identity/scope.ts'
import { dayNumber } from './day-number.ts'
import { generateTrips } from './trips/make-trips.ts'
import { makeSmallCity } from './small-city.ts'
import { makeTripChunk, startTripChunks, storeDemoTrips } from './store-demo-trips.ts'

const city = makeSmallCity()
const scope = regionScope('org', 'small')
const at = new Date('2026-03-01T12:00:00Z')

/** Creates a state store that accepts any query and records inserted imports. */
function makeFakeState(inserted: Record<string, unknown>[], log: string[]): App['state'] {
  const query: Record<string, unknown> = {}
  for (const step of ['set', 'where', 'onConflict']) query[step] = () => query
  query['values'] = (row: Record<string, unknown>) => {
    if ('import_id' in row) inserted.push(row)
    return query
  }
  query['execute'] = async () => void log.push('state')
  return { as: () => ({ insertInto: () => query, updateTable: () => query }) } as unknown as App['state']
}

async function store(from: string, until: string) {
  const [log, inserted, shares]: [string[], Record<string, unknown>[], number[]] = [[], [], []]
  const lines: string[][] = []
  const facts = {
    remove: async () => void log.push('remove'),
    insert: async (_scope: unknown, table: string, { columns, regionId, lines: body }: InsertedRows) => {
      expect([table, columns, regionId]).toEqual(['trips', [...importedTripColumns, 'source'], 'small'])
      log.push('insert')
      await new Promise((done) => setTimeout(done, 5))
      log.push('inserted')
      for (const line of Buffer.from(body).toString().split('\n')) if (line) lines.push(line.split('\t'))
    },
  } as unknown as App['facts']
  const trips = await storeDemoTrips(
    { facts, state: makeFakeState(inserted, log) },
    scope,
    startTripChunks({ regionId: 'small', seed: 1, from, until }, async (task) => makeTripChunk(city, task)),
    { at, onProgress: (share) => shares.push(share) },
  )
  return { trips, log, inserted, shares, lines }
}

describe('storeDemoTrips', async () => {
  const { trips, log, inserted, shares, lines } = await store('2026-01-20', '2026-02-22')
  const readColumn = (name: (typeof importedTripColumns)[number]): string[] =>
    lines.map((fields) => fields[importedTripColumns.indexOf(name)]!)

  it('removes old trips, then stores the chunks one after the other, and the import last', () => {
    expect(log).toEqual(['remove', 'insert', 'inserted', 'insert', 'inserted', 'state', 'state'])
    expect(shares).toEqual([1 / 2, 1])
  })

  it('stores every generated trip with a field for each column', () => {
    const expected: string[] = []
    generateTrips(city, {
      seed: 1,
      from: '2026-01-20',
      until: '2026-02-22',
      emit: ({ vehicleId, startLon, endLat, durationS }) =>
        expected.push([vehicleId, startLon, endLat, durationS].join()),
    })
    expect(trips).toBe(expected.length)
    expect(lines.every(({ length }) => length === importedTripColumns.length + 1)).toBe(true)
    expect(new Set(lines.map((fields) => fields.at(-1)))).toEqual(new Set(['both', 'file']))
    const [vehicle, lon, lat, seconds] = [
      readColumn('vehicle_id'),
      readColumn('start_lon'),
      readColumn('end_lat'),
      readColumn('duration_s'),
    ]
    expect(vehicle.map((id, i) => [id, lon[i], lat[i], seconds[i]].join())).toEqual(expected)
  })

  it('gives every trip a unique and stable ID', async () => {
    const ids = readColumn('trip_id')
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(id))).toBe(true)
    const again = await store('2026-02-20', '2026-02-22')
    expect(again.lines.map((fields) => fields[1])).toEqual(ids.slice(-again.lines.length))
  })

  it('numbers the lines of a chunk, and chunks of 30 days', () => {
    const chunks = readColumn('chunk')
    expect(readColumn('line')).toEqual(chunks.map((chunk, index) => String(index - chunks.indexOf(chunk))))
    const days = readColumn('local_date')
    const second = dayNumber('2026-01-20') + 30
    expect(readColumn('chunk').findIndex((chunk) => chunk !== '0')).toBe(
      days.findIndex((day) => dayNumber(day) >= second),
    )
    expect(new Set(readColumn('chunk'))).toEqual(new Set(['0', '1']))
  })

  it('records the rows read, accepted and flagged', () => {
    const flagged = readColumn('quality').filter((quality) => quality !== '0').length
    expect(flagged).toBeGreaterThan(0)
    expect(inserted).toMatchObject([
      {
        region_id: 'small',
        status: 'done',
        rows_read: trips,
        rows_accepted: trips,
        rows_flagged: flagged,
        created_time: at,
      },
    ])
    expect(new Set(readColumn('import_id'))).toEqual(new Set([inserted[0]!['import_id']]))
  })

  it('stores only the import for an empty range', async () => {
    const empty = await store('2026-01-20', '2026-01-20')
    expect(empty.trips).toBe(0)
    expect(empty.log).toEqual(['remove', 'state', 'state'])
  })
})
