import { expect, test } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { readGbfs } from '#server/feeds/gbfs/read-gbfs.ts'
import type { Finding } from '#server/fleet/events/feed-records.ts'
import { demoClient } from '../../test/demo/demo-client.ts'
import { hasSchemas, loadOfficialSchema } from '../../test/demo/official-schema.ts'
import { serveDocked } from '../servers/serve-docked.ts'
import { makeSmallCity } from '../small-city.ts'
import { DockedSystem } from './docked-system.ts'

const city = makeSmallCity()
const system = new DockedSystem(city, 5)
const nowMs = Date.parse('2026-06-10T16:30:00Z')
const day = system.getDay(nowMs)
const files = ['system_information', 'vehicle_types', 'station_information', 'station_status']
const request = demoClient(serveDocked(city, 5))
const requestData = (file: string) =>
  request(`/portcycle/${file}.json`, nowMs).body['data'] as Record<string, unknown>

test('The docked system has twenty stations in different places', () => {
  expect(system.stations.length).toBe(20)
  expect(new Set(system.stations.map(({ lon, lat }) => `${lon} ${lat}`)).size).toBe(20)
})

test('The docked system never has more bicycles than docks, and is sometimes empty or full', () => {
  const states = Array.from({ length: 7 }, (_, n) => system.getDayStates(day + n)).flat()
  expect(
    states.filter(
      ({ station, vehicles, disabled, docks }) =>
        vehicles < 0 || vehicles + disabled + docks !== system.stations[station]?.capacity,
    ),
  ).toEqual([])
  expect(states.some(({ vehicles }) => vehicles === 0)).toBe(true)
  expect(states.some(({ docks }) => docks === 0)).toBe(true)
})

test('The docked system is deterministic', () => {
  const sameSystem = new DockedSystem(city, 5)
  sameSystem.statesAt(nowMs - 40 * hourMs)
  expect(sameSystem.statesAt(nowMs)).toEqual(system.statesAt(nowMs))
})

test('The docked system begins days at local midnight, also on clock changes', () => {
  const change = system.getDay(Date.parse('2026-11-01T12:00:00Z'))
  const { from, until } = system.getBounds(change)
  expect((until - from) / hourMs).toBe(25)
  expect([system.getDay(from - 1), system.getDay(from), system.getDay(until)]).toEqual([
    change - 1,
    change,
    change + 1,
  ])
})

test.runIf(hasSchemas).each(['gbfs', ...files])(
  'The docked system matches the official schema of %s',
  (file) => {
    expect(
      loadOfficialSchema(`gbfs/v3.0/${file}.json`)(request(`/portcycle/${file}.json`, nowMs).body),
    ).toBeNull()
  },
)

test('The docked system serves all files without findings', () => {
  const findings: Finding[] = []
  for (const file of files) readGbfs(file, requestData(file), { at: nowMs, language: 'en', findings })
  expect(findings).toEqual([])
  expect(request('/portcycle/nothing.json', nowMs).status).toBe(404)
})
