import { expect, it } from 'vitest'
import type { LiveStation } from '#contract/vehicles.ts'
import { stationMarks } from './use-live-fleet.ts'

const station = (lon: number, vehicles: number): LiveStation => ({
  operator: 'dock',
  station_id: String(lon),
  name: 'x',
  lon,
  lat: 37,
  capacity: 20,
  vehicles_available: vehicles,
  docks_available: 1,
  is_renting: true,
  seen: 0,
})
const stations = [station(-75, 3), station(-75.001, 0), station(-75.002, 9), station(-74, 0)]

it('has a square for each station at a high zoom', () => {
  expect(stationMarks(stations, 13).map(({ id, text, isEmpty }) => [id, text, isEmpty])).toEqual([
    ['station/0', '3', false],
    ['station/1', '0', true],
    ['station/2', '9', false],
    ['station/3', '0', true],
  ])
})

it('merges overlapping stations with their vehicles at a low zoom', () => {
  const marks = stationMarks(stations, 10)
  expect(marks.map(({ id, text, isEmpty }) => [id, text, isEmpty])).toEqual([
    ['station/3', '0', true],
    ['stations/3/12', '12', false],
  ])
  expect(marks[1]?.lon).toBeCloseTo(-75.001, 4)
  expect(stationMarks([], 10)).toEqual([])
})
