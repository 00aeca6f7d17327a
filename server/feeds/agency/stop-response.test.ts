import { describe, expect, it } from 'vitest'
import * as samples from '../../../test/mds-samples.ts'
import { hasSchemas, createValidator } from '../../../test/mds-schemas.ts'
import { toMds1Stop, isMds1Stop, toMds2StopChange, toMds2Stop } from './stop-response.ts'

const earlier = samples.earlierStop(1, {
  capacity: { scooter: 4, bicycle: 2 },
  num_places_disabled: { scooter: 9 },
  num_spots_disabled: { scooter: 1 },
})
const newer = samples.stop(1, {
  capacity: { scooter_standing: 4, scooter_seated: 1, truck: 2, other: 1 },
  location: samples.gps({ heading: null }),
  last_reported: 1,
})

describe('a stop', () => {
  it('returns a stop as received in its own version', () => {
    expect([isMds1Stop(earlier), isMds1Stop(newer)]).toEqual([true, false])
    expect([toMds2Stop(newer), toMds1Stop(earlier)]).toEqual([newer, earlier])
  })

  it('converts a stop to the other version', () => {
    const { last_reported: _, num_spots_disabled: __, ...rest } = earlier
    expect(toMds2Stop(earlier)).toEqual({
      ...rest,
      last_updated: samples.sampleTime,
      location: { lat: 39.9612, lng: -82.9988, speed: 3.5, horizontal_accuracy: 4 },
      capacity: { scooter_standing: 4, bicycle: 2 },
      num_places_disabled: { scooter_standing: 1 },
    })
    const { last_updated: ___, ...more } = newer
    expect(toMds1Stop(newer)).toEqual({
      ...more,
      last_reported: samples.sampleTime,
      location: samples.point(samples.sampleTime, -82.9988, 39.9612, { altitude: 230, satellites: 7 }),
      capacity: { scooter: 5, other: 3 },
    })
  })

  it.runIf(hasSchemas)(
    'a stop has the official form in both versions (skipped where the schemas are not there)',
    () => {
      expect(createValidator('v2.0-json/stop.json')(toMds2Stop(earlier))).toBeNull()
      expect(createValidator('v1.2/agency/get_stops.json')({ stops: [toMds1Stop(newer)] })).toBeNull()
    },
  )

  it('retains invalid counts when it is converted, so that they are reported', () => {
    expect(
      toMds2StopChange({
        num_spots_disabled: { scooter: 1 },
        num_vehicles_available: { scooter: '2' },
        capacity: [],
      }),
    ).toEqual({
      num_places_disabled: { scooter_standing: 1 },
      num_vehicles_available: { scooter: '2' },
      capacity: [],
    })
    const hostile: unknown = JSON.parse('{"__proto__":1,"toString":2}')
    expect(JSON.stringify(toMds2StopChange({ capacity: hostile }))).toBe(
      '{"capacity":{"__proto__":1,"toString":2}}',
    )
    expect(toMds2Stop({})).toEqual({ last_updated: undefined, location: {} })
  })
})
