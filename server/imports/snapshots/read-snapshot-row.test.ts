import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import { createSnapshotReader } from './read-snapshot-row.ts'
import { findSnapshotColumns } from './snapshot-columns.ts'

const clock = civilClock('America/New_York')
const at = Date.UTC(2026, 7, 8)
function read(header: string, row: string, time = at, operator = 'unknown') {
  const columns = findSnapshotColumns(header.split(','))
  if (!columns) throw new Error('no list of vehicles')
  return createSnapshotReader({ columns, orderAt: () => 'mdy', clock, at: time, operator })(row.split(','))
}
const full =
  'Company,Vehicle_ID,Type,Latitude,Longitude,Battery_Pct,Range_Miles,Is_Available,Is_Disabled,Is_Reserved,Last_Reported'

describe('a row of vehicles', () => {
  it('is read with its operator, units and flags', () => {
    expect(read(full, 'Spin Inc.,v1,e-bike,39.95,-83,52,10,True,False,false,1786179042')).toEqual({
      operator: 'spin-inc',
      at,
      row: {
        vehicleId: 'v1',
        vehicleType: 'bicycle',
        lat: 39.95,
        lon: -83,
        battery: 52,
        range: 16_093.44,
        isAvailable: true,
        isReserved: false,
        isDisabled: false,
        lastReported: 1_786_179_042_000,
      },
    })
  })

  it('has unknown values for blank fields', () => {
    expect(read(full, 'Veo,v1,,39.95,-83,,,,,,')).toMatchObject({
      row: {
        vehicleType: 'other',
        battery: Number.NaN,
        range: Number.NaN,
        isAvailable: null,
        isReserved: null,
        isDisabled: null,
        lastReported: Number.NaN,
      },
    })
    expect(read(full, 'Veo,1020986,scooter,39.95,-83,,1,1,0,no,0')).toMatchObject({
      row: {
        vehicleType: 'scooter',
        isAvailable: true,
        isDisabled: false,
        isReserved: false,
        lastReported: Number.NaN,
      },
    })
  })

  it('is the same with other columns and units', () => {
    expect(
      read(
        'bike_id,lat,lon,current_range_meters,current_fuel_percent,last_reported',
        'x,39,-83,900,0.4,2026-08-07T20:00:00-04:00',
        at,
        'bird',
      ),
    ).toMatchObject({ operator: 'bird', row: { range: 900, battery: 40, lastReported: at } })
    expect(
      read(
        'device_id,lat,lng,range_km,battery,snapshot_time',
        'x,39,-83,1.5,40%,2026-08-07 20:00:00',
        Number.NaN,
      ),
    ).toMatchObject({ at, row: { range: 1500, battery: 40 } })
  })

  it.each([
    [',,,,,,,,,,', 'empty_row'],
    ['Veo,,scooter,39,-83,,,,,,', 'no_vehicle_id'],
    ['Veo,v,scooter,,-83,,,,,,', 'no_place'],
    ['Veo,v,scooter,north,-83,,,,,,', 'bad_coordinate'],
    ['Veo,v,scooter,99,-83,,,,,,', 'outside_earth'],
    ['Veo,v,scooter,0,0,,,,,,', 'outside_earth'],
    ['Veo,v,scooter,39,-83,full,,,,,', 'bad_figure'],
    ['Veo,v,scooter,39,-83,101,,,,,', 'impossible_figure'],
    ['Veo,v,scooter,39,-83,,-1,,,,', 'impossible_figure'],
    ['Veo,v,scooter,39,-83,,,maybe,,,', 'bad_flag'],
    ['Veo,v,scooter,39,-83,,,,,,soon', 'bad_updated_time'],
    ['!!!,v,scooter,39,-83,,,,,,', 'bad_operator'],
  ])('%s is set aside: %s', (row, reason) => expect(read(full, row)).toMatchObject({ reason }))

  it('without a valid time is rejected', () => {
    expect(read('id,lat,lon,battery,timestamp', 'x,39,-83,4,', Number.NaN)).toMatchObject({
      reason: 'time_outside',
    })
    expect(read('id,lat,lon,battery,timestamp', 'x,39,-83,4,1850-01-01T00:00:00Z', Number.NaN)).toMatchObject(
      { reason: 'time_outside' },
    )
  })

  it('is read or rejected, whatever it holds', () => {
    const columns = findSnapshotColumns(full.split(','))
    if (!columns) throw new Error('no columns')
    const readRow = createSnapshotReader({ columns, orderAt: () => 'mdy', clock, at, operator: 'unknown' })
    const field = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('', '1', '0', 'True', '39.9', '-83', 'Veo', '1786179042'),
    )
    fc.assert(
      fc.property(fc.array(field, { minLength: 11, maxLength: 11 }), (fields) => {
        const found = readRow(fields)
        expect(
          'reason' in found ||
            (found.row.vehicleId !== '' &&
              Number.isFinite(found.row.lat) &&
              /^[a-z0-9][a-z0-9-]*$/.test(found.operator)),
        ).toBe(true)
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 200) },
    )
  })
})

test('findSnapshotColumns distinguishes a list of vehicles from trips, stations and other tables', () => {
  for (const header of [
    'ride_id,start_lat,start_lon,lat,lon,battery',
    'id,name,lat,lon,capacity',
    'vehicle_id,battery',
    'id,latitude,longitude,status,created_at',
  ])
    expect(findSnapshotColumns(header.split(','))).toBeNull()
  expect(
    findSnapshotColumns(['Company', 'Vehicle_ID', 'Latitude', 'Longitude', 'Is_Available']),
  ).not.toBeNull()
})
