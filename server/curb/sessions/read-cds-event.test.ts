import { describe, expect, it } from 'vitest'
import { getEventLane } from './curb-event.ts'
import { formatEvent, readCdsEvent } from './read-cds-event.ts'

const received = Date.UTC(2026, 2, 7, 12)
const good = {
  event_id: 'A1B2C3D4-0000-4000-8000-000000000001',
  event_type: 'park_start',
  event_time: received - 60_000,
  event_publication_time: received,
  data_source_type: 'camera',
  data_source_device_id: 'device',
  curb_zone_id: 'zone',
}
const read = (overrides: object) => readCdsEvent({ ...good, ...overrides }, { received })

describe('an event of CDS', () => {
  it('is read with ids in lower case', () => {
    const { event, problems } = read({
      event_location: { type: 'Point', coordinates: [[-73.9, 40.7]] },
      vehicle_license_plate: 'ab-12 3',
      vehicle_license_plate_jurisdiction: 'ny',
      vehicle_blocked_lane_types: ['bike_lane'],
      actual_cost: 150,
      curb_occupants: [{ type: 'car' }, { type: 'van' }],
    })
    expect(problems).toEqual([])
    expect(event).toMatchObject({
      eventId: 'a1b2c3d4-0000-4000-8000-000000000001',
      sourceKind: 'camera',
      vehicle: 'plate AB123 NY',
      lon: -73.9,
      lat: 40.7,
      blockedLanes: ['bike_lane'],
      amount: 150,
      occupants: 2,
    })
  })

  it.each([
    ['event_id', undefined, 'is missing'],
    ['event_type', 'parked', 'must be one of'],
    ['event_time', 1_772_884_800, 'looks like seconds'],
    ['event_time', received + 400 * 86_400_000, 'more than a year ahead'],
    ['event_publication_time', 'soon', 'must be a whole number'],
    ['data_source_device_id', null, 'is missing'],
    ['data_source_type', 'sonar', 'must be one of'],
  ])('is set aside where %s is %s', (field, value, reason) => {
    const { event, problems } = read({ [field]: value })
    expect(event).toBeNull()
    expect(problems).toEqual([expect.objectContaining({ field, isFatal: true })])
    expect(problems[0]?.reason).toContain(reason)
  })

  it('is accepted without an optional field that is invalid', () => {
    const { event, problems } = read({ vehicle_type: 'spaceship', vehicle_length: -4, curb_area_ids: 'a' })
    expect(event).toMatchObject({ vehicleType: '', vehicleLength: null, areaIds: [] })
    expect(problems.map(({ field }) => field).toSorted()).toEqual([
      'curb_area_ids',
      'vehicle_length',
      'vehicle_type',
    ])
  })

  it('reports how far the clock of the source is ahead', () => {
    expect(read({ event_time: received + 30_000 }).aheadMs).toBe(0)
    expect(read({ event_time: received + 3_600_000 }).aheadMs).toBe(3_600_000)
  })

  it('is rejected if it is not an object', () => {
    expect(readCdsEvent([good], { received }).event).toBeNull()
  })

  it('is shown in findings without fields that identify a vehicle', () => {
    const text = formatEvent({ ...good, vehicle_license_plate: 'SECRET', vehicle_id: 'bus 7' })
    expect(text).not.toContain('SECRET')
    expect(text).not.toContain('bus 7')
    expect(text).toContain('park_start')
  })

  it('has a lane by session, vehicle or device; test payments and reports have a lane without sessions', () => {
    const laneOfEvent = (more: object): string => getEventLane(read(more).event as never)
    expect(laneOfEvent({ event_session_id: 's' })).toBe('parking:session:s')
    expect(laneOfEvent({ vehicle_id: 'v', curb_space_id: '7' })).toBe('parking:vehicle:vehicle v:space:7')
    expect(laneOfEvent({})).toBe('parking:device:camera:device:zone:zone')
    expect(laneOfEvent({ event_type: 'enter_area', event_session_id: 's' })).toBe('area:session:s')
    expect(laneOfEvent({ payment_method: 'test' })).toBe('source:device')
    expect(laneOfEvent({ event_type: 'scheduled_report' })).toBe('source:device')
  })
})
