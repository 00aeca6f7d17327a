import { describe, expect, it } from 'vitest'
import * as samples from '../../../test/mds-samples.ts'
import { hasSchemas, createValidator } from '../../../test/mds-schemas.ts'
import type { Pusher } from './find-pusher.ts'
import type { LastEvent } from './queries/last-events.ts'
import { toStatusResponse } from './status-response.ts'
import { toMds1Vehicle, toMds2Vehicle } from './vehicle-response.ts'

const pusher: Pusher = {
  feedId: 'f',
  organizationId: 'o',
  regionId: 'r',
  operator: 'lark',
  providerId: samples.providerId,
  mode: null,
}
const makeRow = (fields: object) => ({ deviceId: samples.uuid(1), attributes: JSON.stringify(fields) })
const last: LastEvent = {
  deviceId: samples.uuid(1),
  eventId: samples.uuid(2),
  time: samples.sampleTime,
  state: 'missing',
  types: ['comms_lost', 'not_located', 'trip_stop'],
  tripIds: [],
  lon: -83,
  lat: 40,
  accuracy: null,
  battery: 57.4,
}

describe('a registered vehicle', () => {
  it('returns a registered vehicle as received in its own version', () => {
    expect(toMds2Vehicle(makeRow(samples.vehicle()), pusher)).toEqual(samples.vehicle())
    expect(toMds1Vehicle(makeRow(samples.registration()), pusher, undefined)).toEqual({
      ...samples.registration(),
      provider_id: samples.providerId,
      state: 'removed',
      prev_events: [],
    })
  })

  it('converts a registered vehicle to the other version', () => {
    expect(toMds2Vehicle(makeRow(samples.registration()), pusher)).toEqual({
      device_id: samples.uuid(1),
      provider_id: samples.providerId,
      vehicle_id: 'LK-1',
      vehicle_type: 'scooter_standing',
      propulsion_types: ['electric'],
      vehicle_attributes: { year: 2021, make: 'Lark', model: 'One' },
    })
    expect(
      toMds1Vehicle(
        makeRow(samples.vehicle(1, { propulsion_types: ['hydrogen_fuel_cell', 'hybrid', 'electric'] })),
        pusher,
        last,
      ),
    ).toEqual({
      provider_id: samples.providerId,
      device_id: samples.uuid(1),
      vehicle_id: 'LK-1',
      vehicle_type: 'scooter',
      propulsion_types: ['electric', 'combustion'],
      year: 2024,
      mfgr: 'Lark',
      model: 'Two',
      state: 'unknown',
      prev_events: ['comms_lost', 'missing', 'unspecified'],
      updated: samples.sampleTime,
    })
  })

  it('returns a registered vehicle even if its record cannot be read', () => {
    expect(toMds2Vehicle({ deviceId: samples.uuid(1), attributes: 'x' }, pusher)).toEqual({
      device_id: samples.uuid(1),
      provider_id: samples.providerId,
    })
  })
})

describe('a status', () => {
  it('omits unknown values, and uses the last event if there is no telemetry', () => {
    const status = toStatusResponse(last, undefined, pusher)
    const named = { device_id: samples.uuid(1), provider_id: samples.providerId }
    expect(status).toMatchObject({
      ...named,
      last_event: {
        ...named,
        vehicle_state: 'missing',
        location: { lat: 40, lng: -83 },
        battery_percent: 57,
      },
      last_telemetry: { ...named, timestamp: samples.sampleTime, trip_ids: null, journey_id: null },
    })
    expect(status['last_event']).not.toHaveProperty('trip_ids')
    expect((status['last_event'] as { location: object }).location).not.toHaveProperty('horizontal_accuracy')
  })

  it('contains the last point of a trip', () => {
    const point = {
      deviceId: samples.uuid(1),
      telemetryId: samples.uuid(3),
      time: samples.sampleTime + 1,
      tripId: samples.uuid(4),
      lon: 1,
      lat: 2,
      speed: 3,
      heading: null,
      accuracy: 4,
      battery: null,
    }
    expect(toStatusResponse({ ...last, tripIds: [samples.uuid(4)] }, point, pusher)).toMatchObject({
      last_event: { trip_ids: [samples.uuid(4)] },
      last_telemetry: {
        telemetry_id: samples.uuid(3),
        trip_ids: [samples.uuid(4)],
        location: { lat: 2, lng: 1, speed: 3, horizontal_accuracy: 4 },
      },
    })
  })
})

describe.runIf(hasSchemas)('responses to operators by the official schemas', () => {
  it('responses to operators match the official schemas for a vehicle of 1.2 with its state', () => {
    const check = createValidator('v1.2/agency/get_vehicle.json')
    for (const [state, types] of [
      ['missing', ['not_located']],
      ['available', ['trip_end']],
      ['on_trip', ['trip_start']],
      ['removed', ['decommissioned']],
    ] as const)
      for (const registered of [samples.vehicle(), samples.registration()])
        expect(
          check(toMds1Vehicle(makeRow(registered), pusher, { ...last, state, types: [...types] })),
        ).toBeNull()
  })

  it('responses to operators match the official schemas for a status of 2.0', () => {
    const check = createValidator('derived/vehicle-status.fields-only.json')
    expect(check(toStatusResponse(last, undefined, pusher))).toBeNull()
    expect(
      check(
        toStatusResponse(
          { ...last, tripIds: [samples.uuid(4)] },
          {
            deviceId: samples.uuid(1),
            telemetryId: samples.uuid(3),
            time: samples.sampleTime,
            tripId: '',
            lon: 1,
            lat: 2,
            speed: null,
            heading: 5,
            accuracy: null,
            battery: 40,
          },
          pusher,
        ),
      ),
    ).toBeNull()
  })
})
