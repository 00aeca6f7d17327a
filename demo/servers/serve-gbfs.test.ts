import { describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { readGbfs } from '#server/feeds/gbfs/read-gbfs.ts'
import { readDiscovery } from '#server/feeds/gbfs/read-discovery.ts'
import type { Finding } from '#server/fleet/events/feed-records.ts'
import { demoClient } from '../../test/demo/demo-client.ts'
import { hasSchemas, loadOfficialSchema } from '../../test/demo/official-schema.ts'
import { FleetSimulation } from '../live/fleet-simulation.ts'
import { operators } from '../operators.ts'
import { makeSmallCity } from '../small-city.ts'
import { serveGbfs } from './serve-gbfs.ts'

const nowMs = Date.parse('2026-06-10T16:30:00Z')
const city = makeSmallCity()
const simulation = new FleetSimulation(city, 5)
const sandpiper = operators.find(({ slug }) => slug === 'sandpiper')!
const request = demoClient(serveGbfs(simulation, city, sandpiper, 5))
const files = [
  'system_information',
  'vehicle_types',
  'station_information',
  'station_status',
  'vehicle_status',
  'geofencing_zones',
]
const requestData = (file: string, ms = nowMs) =>
  request(`/${file}.json`, ms).body['data'] as Record<string, unknown>
interface Listed {
  vehicle_id: string
  lat: number
  lon: number
  station_id?: string
  is_reserved: boolean
  is_disabled: boolean
}
const getVehiclesAt = (ms: number) => requestData('vehicle_status', ms)['vehicles'] as Listed[]

describe('serveGbfs', () => {
  it('lists its files in gbfs.json', () => {
    const found = readDiscovery(requestData('gbfs'), {
      base: 'http://demo/gbfs.json',
      language: 'en',
      version: '3.0',
      systemId: '',
    })
    expect('feeds' in found && found.feeds).toEqual(
      files.map((name) => ({ name, url: `http://demo/${name}.json` })),
    )
    expect(request('/nothing.json', nowMs).status).toBe(404)
    expect(request('/gbfs.json', nowMs, { method: 'POST' }).status).toBe(405)
  })

  it.runIf(hasSchemas).each(['gbfs', ...files])('matches the official schema of %s', (file) => {
    expect(loadOfficialSchema(`gbfs/v3.0/${file}.json`)(request(`/${file}.json`, nowMs).body)).toBeNull()
  })

  it('serves all files without findings', () => {
    const findings: Finding[] = []
    for (const file of files) readGbfs(file, requestData(file), { at: nowMs, language: 'en', findings })
    expect(findings).toEqual([])
  })

  it('lists the parked vehicles of the simulation', () => {
    const expected = simulation
      .statuses('sandpiper', nowMs, 0)
      .filter(({ trip, point }) => !trip && Math.abs(point.lat) > 1)
    expect(getVehiclesAt(nowMs).length).toBe(expected.length)
    expect(expected.length).toBeGreaterThan(200)
    expect(getVehiclesAt(nowMs).filter(({ is_reserved: reserved }) => reserved).length).toBe(
      expected.filter(({ event: { state } }) => state === 'reserved').length,
    )
  })

  it('counts the vehicles at its stations', () => {
    const stations = requestData('station_status')['stations'] as {
      station_id: string
      num_vehicles_available: number
      num_vehicles_disabled: number
      vehicle_types_available: { count: number }[]
    }[]
    const docked = getVehiclesAt(nowMs).filter(({ station_id: id }) => id !== undefined)
    expect(stations.length).toBeGreaterThan(5)
    expect(
      stations.reduce(
        (sum, station) => sum + station.num_vehicles_available + station.num_vehicles_disabled,
        0,
      ),
    ).toBe(docked.length)
    expect(docked.length).toBeGreaterThan(0)
    for (const station of stations)
      expect(station.vehicle_types_available.reduce((sum, { count }) => sum + count, 0)).toBe(
        station.num_vehicles_available,
      )
  })

  it('changes the ID of a vehicle after every trip, and not while it is parked', () => {
    const [before, after] = [getVehiclesAt(nowMs), getVehiclesAt(nowMs + 4 * hourMs)]
    const getPlace = ({ lat, lon }: Listed): string => `${lat} ${lon}`
    const places = new Map(after.map((vehicle) => [getPlace(vehicle), vehicle.vehicle_id]))
    const parked = before.filter((vehicle) => places.get(getPlace(vehicle)) === vehicle.vehicle_id)
    expect(parked.length).toBeGreaterThan(50)
    const ids = new Set(before.map(({ vehicle_id: id }) => id))
    expect(ids.size).toBe(before.length)
    const moved = after.filter(
      (vehicle) => !before.some((otherVehicle) => getPlace(otherVehicle) === getPlace(vehicle)),
    )
    expect(moved.length).toBeGreaterThan(20)
    expect(moved.some(({ vehicle_id: id }) => ids.has(id))).toBe(false)
    expect(getVehiclesAt(nowMs)).toEqual(before)
  })
})
