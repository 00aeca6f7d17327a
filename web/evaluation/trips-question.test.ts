import { describe, expect, it } from 'vitest'
import { askMostRecentTrips, SpatialQuestion } from '#contract/evaluation.ts'
import { heatQuestion, tripsQuestion } from './trips-question.ts'
import { tripsSearch } from './trips-search.ts'

const layer = { region_id: 'cala', shape_layer_uuid: '6f1b1d1e-0000-4000-8000-000000000001' }

describe('tripsQuestion', () => {
  it('asks for origins of the default period where nothing is said', () => {
    const asked = SpatialQuestion.parse(tripsQuestion({}, layer, '2026-11-21'))
    expect(asked).toMatchObject({ start_date: '2026-06-01', end_date: '2026-11-21', direction: 'origins', agg: 'total_count', hour_filters: [0, 24], operators: [], shape_filter: null })
  })
  it('asks for what was chosen', () => {
    const search = tripsSearch({ aggregation: 'average_destination_distance', hours: [7, 9], days: [1], buffer: 50, operators: ['swift'], vehicleType: 'moped', shape: layer.shape_layer_uuid })
    expect(SpatialQuestion.parse(tripsQuestion(search, layer, '2026-11-21'))).toMatchObject({
      agg: 'average_distance', direction: 'average_destination_distance', hour_filters: [7, 9], days: [1], buffer: 50, operators: ['swift'], vehicle_type: 'moped', shape_filter: layer.shape_layer_uuid,
    })
  })
})

it('heatQuestion takes the same filters', () => {
  const search = tripsSearch({ heat: 'destination', hours: [7, 9], days: [1, 2], operators: ['a', 'b'] })
  expect(askMostRecentTrips.ask.query.parse(heatQuestion(search, 'cala', '2026-11-21'))).toMatchObject({ location: 'destination', start_hour: 7, end_hour: 9, days: '1,2', operators: 'a,b' })
})
