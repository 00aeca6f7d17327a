import { describe, expect, it } from 'vitest'
import { aggregations, spatialModes } from '#contract/map-names.ts'
import { SpatialRequest } from '#contract/spatial.ts'
import { comparedPeriod } from '#web/filters/comparison.ts'
import { heatFilters, mapQuestion } from './map-question.ts'
import { mapModes } from './modes/map-modes.ts'
import { mapParams } from '#web/map-page/by-shape/map-search.ts'

const layer = '6f1b1d1e-0000-4000-8000-000000000001'
const today = '2026-11-21'

describe('mapQuestion', () => {
  it.each(spatialModes)('requests the first aggregation of %s of the default period by default', (mode) => {
    const request = SpatialRequest.parse(mapQuestion(mapModes[mode], {}, layer, today))
    expect(request).toMatchObject({
      mode,
      aggregation: aggregations[mode][0],
      start_date: '2026-06-01',
      end_date: today,
      hour_filters: [0, 23],
      operators: [],
      days: [],
      parked_duration: 0,
      buffer: 0,
      shape_filter: null,
    })
  })
  it('contains the selections of the URL', () => {
    const search = mapParams(mapModes.parking)({
      aggregation: 'average_parked_duration',
      hours: [7, 9],
      days: [1],
      buffer: 50,
      operators: ['swift'],
      vehicle_types: ['moped', 'scooter'],
      parked_duration: 4320,
    })
    expect(SpatialRequest.parse(mapQuestion(mapModes.parking, search, layer, today))).toMatchObject({
      aggregation: 'average_parked_duration',
      hour_filters: [7, 8],
      days: [1],
      buffer: 50,
      operators: ['swift'],
      vehicle_types: ['moped', 'scooter'],
      parked_duration: 4320,
      shape_layer_uuid: layer,
    })
  })
  it('filters by a selected shape if facts have two ends', () => {
    const filtered = { shape: layer, filter_by_shape: true } as const
    expect(mapQuestion(mapModes.trips, filtered, layer, today).shape_filter).toBe(layer)
    expect(mapQuestion(mapModes.trips, { shape: layer }, layer, today).shape_filter).toBeNull()
    expect(mapQuestion(mapModes.parking, filtered, layer, today).shape_filter).toBeNull()
  })
})

it('has a compared period once both of its days are set', () => {
  expect(comparedPeriod({ compare_start_date: '2026-01-01', compare_end_date: '2026-01-31' })).toEqual({
    start_date: '2026-01-01',
    end_date: '2026-01-31',
  })
  expect(comparedPeriod({})).toBeNull()
})

it('uses the same filters for heat', () => {
  expect(heatFilters({ hours: [7, 9], days: [1, 2], operators: ['a', 'b'] }, today)).toEqual({
    start_date: '2026-06-01',
    end_date: today,
    hours: [7, 8],
    days: [1, 2],
    operators: ['a', 'b'],
    vehicle_types: undefined,
  })
})
