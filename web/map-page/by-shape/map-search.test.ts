import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { vehicleTypeTexts } from '#contract/mobility.ts'
import { dayFromNumber } from '#contract/period.ts'
import { aggregations, spatialModes } from '#contract/map-names.ts'
import { colorSchemes } from '#web/filters/color-field.tsx'
import { axisExtras, heatPlaces, mapParams, timeBuckets } from './map-search.ts'
import type { MapMode } from './map-mode.ts'
import { mapModes } from '#web/evaluation/modes/map-modes.ts'
import { periodPresets } from '#web/filters/period.ts'

const layer = '6f1b1d1e-0000-4000-8000-000000000001'
const { trips, parking, distribution } = mapModes

const readMapSearch = (mode: MapMode, search: Record<string, unknown>) => mapParams(mode)(search)

describe('the URL of a map', () => {
  it('is empty by default', () => expect(readMapSearch(trips, {})).toEqual({}))
  it('leaves default values out', () => {
    expect(
      readMapSearch(trips, {
        aggregation: 'origins',
        hours: [0, 24],
        buffer: 0,
        colors: 'tide',
        days: [1, 2, 3, 4, 5, 6, 7],
        operators: [],
        results: false,
      }),
    ).toEqual({})
    for (const key of spatialModes)
      expect(readMapSearch(mapModes[key], { aggregation: aggregations[key][0] })).toEqual({})
  })
  it('reorders swapped days and hours, also those of a comparison', () => {
    expect(
      readMapSearch(trips, { start_date: '2026-05-09', end_date: '2026-05-02', hours: [17, 7] }),
    ).toEqual({ start_date: '2026-05-02', end_date: '2026-05-09', hours: [7, 17] })
    expect(
      readMapSearch(trips, { compare_start_date: '2026-05-09', compare_end_date: '2026-05-02' }),
    ).toEqual({ compare_start_date: '2026-05-02', compare_end_date: '2026-05-09' })
  })
  it('prefers days to a preset', () =>
    expect(readMapSearch(trips, { period: 'this_month', start_date: '2026-05-02' })).not.toHaveProperty(
      'period',
    ))
  it('drops invalid values', () => {
    const invalid = {
      hours: [5, 5],
      buffer: 9000,
      days: [0, 8],
      start_date: '2026-02-30',
      layer: 'x',
      shape: 7,
      view: [0, 'x', 4],
      vehicle_types: ['tram'],
      vehicle_type: 'tram',
      other: 1,
      parked_duration: -4,
      by: 'week',
      at: '25',
    }
    for (const key of spatialModes) expect(readMapSearch(mapModes[key], invalid)).toEqual({})
  })
  it('accepts only the aggregations of the map', () => {
    for (const key of spatialModes)
      for (const other of spatialModes)
        for (const aggregation of aggregations[other].slice(1))
          expect(readMapSearch(mapModes[key], { aggregation })).toEqual(key === other ? { aggregation } : {})
    for (const vehicle_type of Object.keys(vehicleTypeTexts))
      expect(readMapSearch(distribution, { vehicle_type })).toEqual({ vehicle_types: [vehicle_type] })
  })
  it('retains the fields of a map', () => {
    expect(readMapSearch(parking, { parked_duration: 2880, heat: 'origin' })).toEqual({
      parked_duration: 2880,
    })
    expect(readMapSearch(parking, { heat: 'parked' })).toEqual({ heat: 'parked' })
    expect(readMapSearch(trips, { parked_duration: 2880, heat: 'origin' })).toEqual({ heat: 'origin' })
    expect(readMapSearch(distribution, { parked_duration: 2880, heat: 'origin' })).toEqual({})
  })
  it('contains the position of a playback', () => {
    expect(readMapSearch(trips, { by: 'hour_of_day', at: 7 })).toEqual({ by: 'hour_of_day', at: '7' })
    expect(readMapSearch(trips, { by: 'day', at: '2026-03-01', under: ['issues', 'weather', 'x'] })).toEqual({
      by: 'day',
      at: '2026-03-01',
      under: ['weather', 'issues'],
    })
    expect(readMapSearch(trips, { by: 'day', at: 7 })).toEqual({ by: 'day' })
    expect(readMapSearch(trips, { at: 7, under: ['weather'] })).toEqual({ under: ['weather'] })
  })
  it('has no playback in a comparison', () => {
    expect(
      readMapSearch(trips, {
        by: 'day',
        under: ['weather'],
        compare_start_date: '2026-02-01',
        side_by_side: true,
        percent: true,
      }),
    ).toEqual({
      compare_start_date: '2026-02-01',
      compare_end_date: '2026-02-01',
      side_by_side: true,
      percent: true,
    })
    expect(readMapSearch(trips, { side_by_side: true, percent: true })).toEqual({})
  })

  it('survives a round trip through the URL', () => {
    const day = fc.integer({ min: 17_000, max: 22_000 }).map(dayFromNumber)
    const anySearch = fc.record(
      {
        operators: fc.array(fc.constantFrom('swift', 'orbit', 'lumo')),
        vehicle_types: fc.array(fc.constantFrom(...Object.keys(vehicleTypeTexts))),
        period: fc.constantFrom(...periodPresets),
        start_date: day,
        end_date: day,
        days: fc.array(fc.integer({ min: 1, max: 7 })),
        hours: fc.tuple(fc.nat(24), fc.nat(24)),
        layer: fc.constant(layer),
        shape: fc.constant(layer),
        aggregation: fc.constantFrom(...Object.values(aggregations).flat()),
        buffer: fc.nat(5000),
        colors: fc.constantFrom(...colorSchemes),
        heat: fc.constantFrom(...heatPlaces),
        results: fc.boolean(),
        view: fc.tuple(
          fc.double({ min: -180, max: 180, noNaN: true }),
          fc.double({ min: -85, max: 85, noNaN: true }),
          fc.double({ min: 0, max: 20, noNaN: true }),
        ),
        parked_duration: fc.nat(20_000),
        by: fc.constantFrom(...timeBuckets),
        at: fc.oneof(day, fc.nat(24)),
        under: fc.subarray([...axisExtras]),
        compare_start_date: day,
        side_by_side: fc.boolean(),
        percent: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.constantFrom(...spatialModes), anySearch, (mode, search) => {
        const read = readMapSearch(mapModes[mode], search)
        expect(readMapSearch(mapModes[mode], JSON.parse(JSON.stringify(read)))).toEqual(
          JSON.parse(JSON.stringify(read)),
        )
      }),
    )
  })
})
