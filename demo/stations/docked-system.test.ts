import { expect, it } from 'vitest'
import { readGbfs } from '#server/feeds/gbfs/read-gbfs.ts'
import type { Finding } from '#server/fleet/events/finding.ts'
import { askDemo } from '../../test/demo/ask-demo.ts'
import { hasSchemas, officialSchema } from '../../test/demo/official-schema.ts'
import { serveDocked } from '../servers/serve-docked.ts'
import { smallCity } from '../small-city.ts'
import { DockedSystem } from './docked-system.ts'

const city = smallCity()
const system = new DockedSystem(city, 5)
const at = Date.parse('2026-06-10T16:30:00Z')
const day = system.dayOf(at)
const files = ['system_information', 'vehicle_types', 'station_information', 'station_status']
const ask = askDemo(serveDocked(city, 5))
const dataOf = (file: string) => ask(`/portcycle/${file}.json`, at).body['data'] as Record<string, unknown>

it('has twenty stations in different places', () => {
  expect(system.stations.length).toBe(20)
  expect(new Set(system.stations.map(({ lon, lat }) => `${lon} ${lat}`)).size).toBe(20)
})

it('never holds more bicycles than docks, and is sometimes empty and sometimes full', () => {
  const states = Array.from({ length: 7 }, (_, n) => system.statesOfDay(day + n)).flat()
  expect(
    states.filter(
      ({ station, vehicles, disabled, docks }) =>
        vehicles < 0 || vehicles + disabled + docks !== system.stations[station]?.capacity,
    ),
  ).toEqual([])
  expect(states.some(({ vehicles }) => vehicles === 0)).toBe(true)
  expect(states.some(({ docks }) => docks === 0)).toBe(true)
})

it('is the same whenever it is made', () => {
  const other = new DockedSystem(city, 5)
  other.statesAt(at - 40 * 3_600_000)
  expect(other.statesAt(at)).toEqual(system.statesAt(at))
})

it('begins days at local midnight, also when the clocks change', () => {
  const change = system.dayOf(Date.parse('2026-11-01T12:00:00Z'))
  const { from, until } = system.boundsOf(change)
  expect((until - from) / 3_600_000).toBe(25)
  expect([system.dayOf(from - 1), system.dayOf(from), system.dayOf(until)]).toEqual([
    change - 1,
    change,
    change + 1,
  ])
})

it.runIf(hasSchemas).each(['gbfs', ...files])('holds to the official schema of %s', (file) => {
  expect(officialSchema(`gbfs/v3.0/${file}.json`)(ask(`/portcycle/${file}.json`, at).body)).toBeNull()
})

it('tells everything so that our readers have nothing to say', () => {
  const findings: Finding[] = []
  for (const file of files) readGbfs(file, dataOf(file), { at, language: 'en', findings })
  expect(findings).toEqual([])
  expect(ask('/portcycle/nothing.json', at).status).toBe(404)
})
