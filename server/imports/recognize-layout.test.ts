import { describe, expect, it, test } from 'vitest'
import { getOriginalName, makeColumnNamesUnique, findRepeatedNames } from './file-header.ts'
import { guessMapping } from './guess-mapping.ts'
import { findPersonalColumns, createFieldSelector, hidePersonal } from '#server/table-files/column-names.ts'
import { findMappingProblems } from './preview-import.ts'
import { recognizeLayout } from './recognize-layout.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { createTripReader } from './trips/read-trip.ts'
import type { TripRow } from './trips/trip-row.ts'

interface Sample {
  name: string
  file: string
  header: string
  row: string
  layout: string
  zone: string
  center: { lon: number; lat: number }
  trip: Partial<TripRow> & { start: string; end: string }
}

const portland = { zone: 'America/Los_Angeles', center: { lon: -122.66, lat: 45.52 } }
const newYork = { zone: 'America/New_York', center: { lon: -73.98, lat: 40.73 } }

const samples: Sample[] = [
  {
    name: 'BIKETOWN before 2019-06',
    file: '2018_07.csv',
    layout: 'biketown',
    ...portland,
    header:
      'RouteID,PaymentPlan,StartHub,StartLatitude,StartLongitude,StartDate,StartTime,EndHub,EndLatitude,EndLongitude,EndDate,EndTime,TripType,BikeID,BikeName,Distance_Miles,Duration,RentalAccessPath,MultipleRental',
    row: '7150614,Casual,SW Naito at Ankeny Plaza,45.5224,-122.6696,7/1/2018,0:03,,45.5163,-122.6586,7/1/2018,0:14,,6083,0470 BIKETOWN,1.12,0:10:38,keypad,FALSE',
    trip: {
      operator: 'biketown',
      vehicleType: 'pedal_bicycle',
      vehicleId: '6083',
      start: '2018-07-01T07:03:00Z',
      end: '2018-07-01T07:14:00Z',
      hour: 0,
      startLon: -122.6696,
      endLat: 45.5163,
      distanceM: 1.12 * 1609.344,
      durationS: 638,
      quality: 0,
    },
  },
  {
    name: 'BIKETOWN from 2019-06',
    file: '2019_06.csv',
    layout: 'biketown',
    ...portland,
    header:
      'RouteID,PaymentPlan,StartHub,Start_Latitude,Start_Longitude,Start_Date,Start_Time,EndHub,End_Latitude,End_Longitude,End_Date,End_Time,TripType,BikeID,BikeName,Distance_Miles,Duration,RentalAccessPath,MultipleRental',
    row: '10640215,Subscriber,,45.5304,-122.6852,6/30/2019,23:57,,45.5269,-122.6735,7/1/2019,0:05,,7245,0001 B,0.85,0:07:41,mobile,False',
    trip: {
      operator: 'biketown',
      vehicleId: '7245',
      start: '2019-07-01T06:57:00Z',
      end: '2019-07-01T07:05:00Z',
      hour: 23,
      durationS: 461,
    },
  },
  {
    name: 'Divvy',
    file: '202406-divvy-tripdata.csv',
    layout: 'lyft',
    zone: 'America/Chicago',
    center: { lon: -87.63, lat: 41.88 },
    header:
      'ride_id,rideable_type,started_at,ended_at,start_station_name,start_station_id,end_station_name,end_station_id,start_lat,start_lng,end_lat,end_lng,member_casual',
    row: 'CDE6023BE6B11D2F,electric_bike,2024-06-11 17:20:06.289,2024-06-11 17:21:39.460,,,,,41.89,-87.65,41.89,-87.65,casual',
    trip: {
      operator: 'divvy',
      vehicleType: 'bicycle',
      start: '2024-06-11T22:20:06Z',
      end: '2024-06-11T22:21:39Z',
      hour: 17,
      distanceM: Number.NaN,
      durationS: 93,
      quality: 0,
    },
  },
  {
    name: 'Citi Bike since 2021',
    file: 'JC-202102-citibike-tripdata.csv.gz',
    layout: 'lyft',
    ...newYork,
    header:
      '"ride_id","rideable_type","started_at","ended_at","start_station_name","start_station_id","end_station_name","end_station_id","start_lat","start_lng","end_lat","end_lng","member_casual"'.replaceAll(
        '"',
        '',
      ),
    row: 'B0ABDE1A2AD7A8AC,docked_bike,2021-02-01 00:04:23,2021-02-01 00:15:08,A,5779,B,6432,40.7,-73.9,,,member',
    trip: {
      operator: 'citi-bike',
      vehicleType: 'pedal_bicycle',
      start: '2021-02-01T05:04:23Z',
      end: '2021-02-01T05:15:08Z',
      quality: 1 << 9,
    },
  },
  {
    name: 'Citi Bike, 2013 spelling',
    file: '2013-07.csv',
    layout: 'citi-bike',
    ...newYork,
    header:
      'tripduration,starttime,stoptime,start station id,start station name,start station latitude,start station longitude,end station id,end station name,end station latitude,end station longitude,bikeid,usertype,birth year,gender',
    row: '634,2013-07-01 00:00:00,2013-07-01 00:10:34,164,E 47 St,40.75323098,-73.97032517,504,1 Ave,40.73221853,-73.98165557,16950,Customer,1979,1',
    trip: {
      operator: 'citi-bike',
      vehicleId: '16950',
      start: '2013-07-01T04:00:00Z',
      end: '2013-07-01T04:10:34Z',
      durationS: 634,
      quality: 0,
    },
  },
  {
    name: 'Citi Bike, 2014 dates',
    file: '201409-citibike-tripdata.csv',
    layout: 'citi-bike',
    ...newYork,
    header:
      'tripduration,starttime,stoptime,start station id,start station name,start station latitude,start station longitude,end station id,end station name,end station latitude,end station longitude,bikeid,usertype,birth year,gender',
    row: '2828,9/1/2014 00:00:25,9/1/2014 00:47:33,386,Centre St,40.71494807,-74.00234482,450,W 49 St,40.76227205,-73.98788205,15941,Subscriber,1980,1',
    trip: { start: '2014-09-01T04:00:25Z', end: '2014-09-01T04:47:33Z', durationS: 2828 },
  },
  {
    name: 'Citi Bike, 2016 spelling',
    file: '201610.csv',
    layout: 'citi-bike',
    ...newYork,
    header:
      'Trip Duration,Start Time,Stop Time,Start Station ID,Start Station Name,Start Station Latitude,Start Station Longitude,End Station ID,End Station Name,End Station Latitude,End Station Longitude,Bike ID,User Type,Birth Year,Gender',
    row: '328,2016-10-01 00:00:07,2016-10-01 00:05:35,471,Grand St,40.71286844,-73.95698119,3077,Stagg St,40.70877084,-73.95095259,25254,Subscriber,1992,1',
    trip: { vehicleId: '25254', start: '2016-10-01T04:00:07Z', end: '2016-10-01T04:05:35Z', durationS: 328 },
  },
  {
    name: 'Louisville',
    file: 'DocklessOpenData.csv',
    layout: 'louisville',
    zone: 'America/Kentucky/Louisville',
    center: { lon: -85.76, lat: 38.25 },
    header:
      'TripID,StartDate,StartTime,EndDate,EndTime,TripDuration,TripDistance,StartLatitude,StartLongitude,EndLatitude,EndLongitude,DayOfWeek,HourNum',
    row: '0000045c-2677-3a7d-4b73-cad99a57,2019-06-26,24:00,2019-06-27,0:15,3,0,38.253,-85.756,38.253,-85.755,5,0',
    trip: {
      operator: 'unknown',
      vehicleType: 'scooter',
      start: '2019-06-27T04:00:00Z',
      end: '2019-06-27T04:15:00Z',
      hour: 0,
      distanceM: 0,
      durationS: 180,
      quality: 1 << 2,
    },
  },
]

describe.each(samples)(
  '$name',
  ({ file, header, row, layout, zone, center, trip: { start, end, ...expected } }) => {
    const names = header.split(',')

    it('is recognized and read', () => {
      const found = recognizeLayout(names, file)
      expect(found?.layout).toBe(layout)
      if (!found) return
      expect(findMappingProblems(names, found.mapping)).toEqual([])
      const trip = createTripReader({
        header: names,
        mapping: found.mapping,
        getDateOrder: () => 'mdy',
        regionId: 'r',
        clock: civilClock(zone),
        center,
      })(row.split(','))
      expect(trip).toMatchObject({ ...expected, startMs: Date.parse(start), endMs: Date.parse(end) })
    })

    it('is recognized regardless of case, order and other columns', () => {
      const mixed = ['extra', ...names.toReversed().map((name) => name.toUpperCase().replace(/_/g, ' '))]
      expect(recognizeLayout(mixed, file)?.layout).toBe(layout)
    })

    it('is not recognized without its identifying column', () => {
      expect(
        recognizeLayout(
          names.filter((name) => !/start.?(lat|long|station.?lat)/i.test(name)),
          file,
        ),
      ).toBeNull()
    })
  },
)

test('The layout of another header is null', () => {
  expect(recognizeLayout(['id', 'from', 'to'], 'divvy.csv')).toBeNull()
  expect(recognizeLayout([], '')).toBeNull()
})

describe('guessMapping', () => {
  it.each([
    [
      [
        'trip_id',
        'vehicle_id',
        'start_time',
        'end_time',
        'start_lat',
        'start_lng',
        'end_lat',
        'end_lng',
        'trip_distance_km',
        'duration_min',
      ],
      {
        trip_id: 'trip_id',
        vehicle_id: 'vehicle_id',
        start_time: 'start_time',
        end_lon: 'end_lng',
        distance: 'trip_distance_km',
      },
    ],
    [
      ['Provider', 'Start Date', 'Start Time', 'End Date', 'End Time', 'Origin Longitude', 'Origin Latitude'],
      {
        operator: 'Provider',
        start_date: 'Start Date',
        start_clock: 'Start Time',
        end_date: 'End Date',
        end_clock: 'End Time',
        start_lon: 'Origin Longitude',
      },
    ],
    [
      ['Trip ID', 'Trip Start', 'Start Centroid Latitude', 'Start Centroid Longitude'],
      { trip_id: 'Trip ID', start_time: 'Trip Start', start_lat: 'Start Centroid Latitude' },
    ],
  ])('of %j', (header, expected) => {
    const mapping = guessMapping(header)
    expect(mapping.columns).toMatchObject(expected)
    expect(findMappingProblems(header, mapping)).toEqual([])
  })

  it('derives units from the names', () => {
    expect(guessMapping(['trip_distance_km', 'duration_min'])).toMatchObject({
      distance_unit: 'km',
      duration_unit: 'min',
    })
    expect(guessMapping(['Distance Miles', 'Duration'])).toMatchObject({
      distance_unit: 'mi',
      duration_unit: 's',
    })
    expect(guessMapping(['distance_feet', 'duration_seconds'])).toMatchObject({
      distance_unit: 'ft',
      duration_unit: 's',
    })
    expect(guessMapping(['distance_m'])).toMatchObject({ distance_unit: 'm' })
  })

  it('uses no column twice and only existing ones', () => {
    const { columns } = guessMapping(['id', 'start', 'start_time', 'x', 'y'])
    expect(new Set(Object.values(columns)).size).toBe(Object.values(columns).length)
    expect(guessMapping(['a', 'b']).columns).toEqual({})
  })
})

describe('findMappingProblems', () => {
  const mapping = guessMapping(['start_time', 'start_lon', 'start_lat'])
  it('reports columns that the file does not have', () => {
    expect(findMappingProblems(['start_time', 'start_lon'], mapping)).toEqual([
      "The file has no column 'start_lat' (mapped to start_lat).",
    ])
  })
  it('requires a start time and a start location', () => {
    expect(findMappingProblems([], { ...mapping, columns: {} })).toHaveLength(2)
    expect(findMappingProblems(['d'], { ...mapping, columns: { start_date: 'd' } })[0]).toContain(
      'start time',
    )
  })
})

describe('personal columns', () => {
  const header = [
    'usertype',
    'birth year',
    'Gender',
    'E-Mail',
    'bikeid',
    'Member_ID',
    'member_casual',
    'name',
    'start station name',
    'Rider-ID',
    'first_name',
    'BikeName',
    'rider_name',
    'Age',
    'home address',
    'username',
  ]
  const hidden = [
    'birth year',
    'Gender',
    'E-Mail',
    'Member_ID',
    'name',
    'Rider-ID',
    'first_name',
    'rider_name',
    'Age',
    'home address',
    'username',
  ]
  it('are found in any spelling', () =>
    expect(findPersonalColumns(header).map((at) => header[at])).toEqual(hidden))
  it('are shown without values in a preview', () =>
    expect(hidePersonal(['Customer', '1979', '', 'a@b.c', '7'], [1, 2, 3], 5)).toEqual([
      'Customer',
      '(not shown)',
      '',
      '(not shown)',
      '7',
    ]))
  it('hide rows with columns that cannot be identified', () => {
    for (const fields of [['1979'], ['Customer', 'x', '1979', 'y', 'z', 'more'], null])
      expect(hidePersonal(fields, [1], 5)).toEqual(['(not shown)'])
    expect(hidePersonal(['a', 'b'], [], 5)).toEqual(['a', 'b'])
    expect(hidePersonal(null, [], 5)).toEqual([])
  })
  it('are not stored, nor is any other column that is not read', () => {
    const retained = createFieldSelector(['id', 'nickname', 'start'], ['start', 'id'])
    expect(retained(['1', 'Ada', '2026'])).toEqual({ id: '1', start: '2026' })
    for (const fields of [['1', 'Ada'], ['1', 'Ada', '2026', 'x'], null]) expect(retained(fields)).toEqual({})
  })
})

describe('names that several columns have', () => {
  const header = makeColumnNamesUnique([
    'ride_id',
    'rideable_type',
    'started_at',
    'ended_at',
    'start_lat',
    'start_lng',
    'end_lat',
    'end_lng',
    'start_lat',
    'note',
    'note',
  ])
  it('are extended by their positions, so that each column can be chosen', () => {
    expect(header.slice(8)).toEqual(['start_lat (column 9)', 'note (column 10)', 'note (column 11)'])
    expect(findRepeatedNames(header)).toEqual([
      { name: 'start_lat', positions: [5, 9] },
      { name: 'note', positions: [10, 11] },
    ])
    expect(findRepeatedNames(['Start Lat', 'x', 'start_lat', '', ''])).toEqual([
      { name: 'Start Lat', positions: [1, 3] },
    ])
  })
  it('make a known layout ambiguous if it reads them', () => {
    expect(recognizeLayout(header, 'x.csv')).toBeNull()
    expect(
      recognizeLayout(
        header.filter((_, index) => index !== 8),
        'x.csv',
      )?.layout,
    ).toBeUndefined()
    expect(
      recognizeLayout(
        makeColumnNamesUnique(header.map(getOriginalName).filter((_, index) => index !== 8)),
        'x.csv',
      )?.layout,
    ).toBe('lyft')
  })
})
