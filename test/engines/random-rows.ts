// Random rows of trip files: valid values, unusual ones and noise in every column.
import fc from 'fast-check'
import { TripMapping } from '#contract/imports.ts'

/** Names of the columns of `anyRow`. */
export const header = [
  'id',
  'operator',
  'type',
  'vehicle',
  'start',
  'end',
  'slon',
  'slat',
  'elon',
  'elat',
  'distance',
  'duration',
]

const anyNoise = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(
      '\t',
      '\n',
      '\r',
      '\\',
      '\0',
      'N',
      '"',
      "'",
      ',',
      '\u2028',
      '\uD800',
      'é',
      '\u{1F6B2}',
    ),
    maxLength: 6,
  }),
  fc.constantFrom(
    '',
    ' ',
    '\\N',
    'null',
    'NaN',
    'inf',
    '-inf',
    '1e308',
    '-1e-320',
    'constructor',
    '__proto__',
  ),
)
const withNoise = (usual: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: anyNoise })

const anyTime = fc.oneof(
  fc
    .date({ min: new Date('1985-01-01'), max: new Date('2105-01-01'), noInvalidDate: true })
    .map((at) => at.toISOString()),
  fc
    .date({ min: new Date('1990-01-02'), max: new Date('2099-12-30'), noInvalidDate: true })
    .map((at) => at.toISOString().slice(0, 19).replace('T', ' ')),
  fc
    .tuple(
      fc.constantFrom('2026-03-08', '2026-11-01', '1990-01-01', '2099-12-31', '1900-01-02'),
      fc.integer({ min: 0, max: 1440 }),
    )
    .map(([day, minute]) => `${day} ${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`),
  fc.integer({ min: 0, max: 9_999_999_999 }).map((n) => String(n).padStart(10, '0')),
)
const anyNumber = fc.oneof(
  fc.double({ noNaN: true }).map(String),
  fc.integer({ min: -200, max: 200 }).map(String),
  fc.constantFrom('', '-0', '1e300', '-1e300', '.5', '1,234'),
)
const anyDegrees = (max: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.double({ min: -max, max, noNaN: true }).map(String) },
    fc.constant(''),
    { weight: 1, arbitrary: fc.constantFrom('1016', '-0', '90', '-90') },
  )
const [anyLon, anyLat] = [anyDegrees(180), anyDegrees(90)]

export const anyRow: fc.Arbitrary<string[]> = fc
  .tuple(
    fc.oneof(fc.uuid(), fc.string({ maxLength: 8 }), anyNoise),
    withNoise(fc.constantFrom('Lark', '', 'heron')),
    withNoise(fc.constantFrom('scooter', '', 'Classic Bike', 'toString')),
    anyNoise,
    withNoise(anyTime),
    withNoise(fc.oneof(anyTime, fc.constant(''))),
    withNoise(anyLon),
    withNoise(anyLat),
    withNoise(anyLon),
    withNoise(anyLat),
    withNoise(anyNumber),
    withNoise(fc.oneof(anyNumber, fc.constant('1:02:03'))),
  )
  .map((fields) => [...fields])

export const anyMapping: fc.Arbitrary<TripMapping> = fc
  .record({
    distance_unit: fc.constantFrom('m', 'km', 'mi', 'ft'),
    duration_unit: fc.constantFrom('s', 'min', 'h', 'h:mm:ss'),
    date_order: fc.constantFrom('ymd', 'mdy', 'dmy'),
  })
  .map((units) =>
    TripMapping.parse({
      ...units,
      columns: {
        trip_id: 'id',
        operator: 'operator',
        vehicle_type: 'type',
        vehicle_id: 'vehicle',
        start_time: 'start',
        end_time: 'end',
        start_lon: 'slon',
        start_lat: 'slat',
        end_lon: 'elon',
        end_lat: 'elat',
        distance: 'distance',
        duration: 'duration',
      },
    }),
  )
