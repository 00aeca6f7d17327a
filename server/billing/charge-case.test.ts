import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import { getWeekday, dayFromNumber } from '#contract/period.ts'
import { chargeCase } from './charge-case.ts'
import { Rational } from './rational.ts'

const runs = Number(process.env['CHARGE_RUNS'] ?? 40)

interface Charged {
  lines: { description: string; quantity: string; unit: string; amount: string; exact: string }[]
  total: string
}
const october = { start_date: '2026-10-01', end_date: '2026-10-31' }
const compute = (parts: object[], facts: object, overrides: object = {}): Charged =>
  chargeCase(
    {
      timezone: 'America/New_York',
      currency: 'USD',
      period: october,
      tariff: { parts },
      facts,
      ...overrides,
    },
    'case',
  ) as Charged

/** Returns a parking event of the given duration on a Monday. */
const park = (minutes: number, at = '2026-10-05T10:00:00-04:00') => ({
  from: at,
  to: Date.parse(at) + minutes * 60_000,
})
const makeFixedCharge = (name: string, amount: number) => ({ kind: 'fixed', name, amount })
const makeUnitCharge = (quantity: string, price: number | string) => ({
  kind: 'quantity',
  name: quantity,
  quantity,
  price,
})
const byDuration = (bands: [number, number | null, number | string][], overrides: object = {}) => ({
  kind: 'parking',
  name: 'Parking',
  structure: {
    by: 'duration',
    bands: bands.map(([start, end, price]) => ({ start, end, price })),
    ...overrides,
  },
})
const byUnit = (recurrence: string) => ({
  kind: 'parking',
  name: 'Parking',
  structure: {
    by: 'time_unit',
    unit: 'hours',
    recurrence,
    prices: [2, 4, 10].map((price, from) => ({ from, price })),
  },
})
const steps: [number, number | null, number][] = [
  [0, 15, 0],
  [15, 30, 1.5],
  [30, 60, 3],
]
const passport = byDuration(
  [
    [0, 30, 0],
    [31, 90, '0.02'],
    [91, 150, '0.04'],
  ],
  { free_after: true },
)

describe('published schedules', () => {
  it.each<[string, string, object[], object]>([
    [
      'Chicago',
      '29353.07',
      [makeUnitCharge('scooters', 16), { kind: 'trips', name: 'Trips', price: 0.16 }],
      { quantities: { scooters: 1234.567 }, trip_count: 60_000 },
    ],
    [
      'Los Angeles, by zone',
      '26.00',
      [
        { kind: 'trips', name: 'Low', price: 0.06, areas: ['low'] },
        { kind: 'trips', name: 'High', price: 0.4, areas: ['high'] },
      ],
      {
        trips: Array.from({ length: 150 }, (_, index) => ({
          start_time: '2026-10-05T10:00:00-04:00',
          areas: [index < 100 ? 'low' : 'high'],
        })),
      },
    ],
    [
      'Santa Monica, by device and day',
      '15500.00',
      [{ kind: 'vehicles', name: 'Devices', price: 1 }],
      {
        vehicle_days: Array.from({ length: 31 }, (_, index) => ({
          date: `2026-10-${String(index + 1).padStart(2, '0')}`,
          vehicles: 500,
        })),
      },
    ],
    ['Austin', '784257.30', [makeUnitCharge('trips', 0.15)], { quantities: { trips: 5_228_382 } }],
    [
      'Indianapolis',
      '21300.00',
      [makeUnitCharge('scooter-days', 1), makeUnitCharge('cases', 25)],
      { quantities: { 'scooter-days': 21_000, cases: 12 } },
    ],
    ['Portsmouth', '460.00', [{ kind: 'trips', name: 'Trips', price: 0.25 }], { trip_count: 1840 }],
    [
      'Lexington, without pedal bikes',
      '462.50',
      [{ kind: 'trips', name: 'Trips', price: 0.25, exempt_vehicle_types: ['bicycle'] }],
      {
        trips: Array.from({ length: 2000 }, (_, index) => ({
          start_time: '2026-10-05T10:00:00-04:00',
          vehicle_type: index < 150 ? 'bicycle' : 'scooter_standing',
        })),
      },
    ],
    [
      'San Francisco',
      '116713.32',
      [
        makeFixedCharge('Application', 5100.32),
        makeFixedCharge('Programme', 36_613),
        makeUnitCharge('devices', 75),
      ],
      { quantities: { devices: 1000 } },
    ],
    [
      'vehicles over a cap',
      '10.00',
      [{ kind: 'vehicles', name: 'Over the cap', price: 0.25, free: 1000 }],
      { vehicle_days: [{ date: '2026-10-05', vehicles: 1040 }] },
    ],
    ['Oakland', '0.66', [byDuration([[0, null, '1.8']])], { parking_events: [park(22)] }],
    [
      'New York, share of revenue',
      '260000.00',
      [
        { kind: 'revenue', name: 'Riders', quantity: 'riders', percent: 5, above: 30_000_000 },
        { kind: 'revenue', name: 'Other', quantity: 'other', percent: 5, above: 10_000_000 },
      ],
      { quantities: { riders: 34_200_000, other: 11_000_000 } },
    ],
    [
      'St. Louis',
      '130.00',
      [makeUnitCharge('feet', 2), makeFixedCharge('Sign', 50)],
      { quantities: { feet: 40 } },
    ],
    [
      'a table by time of day',
      '3.00',
      [
        {
          kind: 'parking',
          name: 'Parking',
          structure: {
            by: 'schedule',
            prices: {
              monday: [
                { start_time: '08:00', end_time: '10:00', price: 1 },
                { start_time: '10:00', end_time: '18:00', price: 2 },
              ],
              weekday: [{ start_time: null, end_time: null, price: 50 }],
            },
          },
        },
      ],
      { parking_events: [park(105, '2026-10-05T09:30:00-04:00')] },
    ],
    [
      'free, then by the hour, rounded once',
      '26.67',
      [passport],
      { parking_events: Array.from({ length: 1000 }, () => park(100)) },
    ],
    ['MDS: each started hour', '16.00', [byUnit('each_time_unit')], { parking_events: [park(150)] }],
    ['MDS: each complete hour', '6.00', [byUnit('per_complete_time_unit')], { parking_events: [park(150)] }],
  ])('%s costs %s', (_name, total, parts, facts) => {
    expect(compute(parts, facts).total).toBe(total)
  })

  it.each([
    [7, '0.00'],
    [15, '0.00'],
    [15 + 1 / 60, '1.50'],
    [16, '1.50'],
    [28, '1.50'],
    [30, '1.50'],
    [40, '3.00'],
  ])('flat steps: %d minutes cost %s', (minutes, total) => {
    const part = byDuration(steps, { mode: 'flat', free_after: true })
    expect(compute([part], { parking_events: [park(minutes)] }).total).toBe(total)
  })

  it('charges the entire event at the price of a retroactive band', () => {
    const part = byDuration(
      [
        [0, 60, 1],
        [60, null, 3],
      ],
      { mode: 'retroactive' },
    )
    expect(compute([part], { parking_events: [park(90)] }).total).toBe('4.50')
    expect(compute([part], { parking_events: [park(60)] }).total).toBe('1.00')
  })
})

describe('periods', () => {
  it('periods prorate prices per month and year by day, and split a part that changes in the middle of a month', () => {
    const days = Array.from({ length: 31 }, (_, index) => ({
      date: `2026-10-${String(index + 1).padStart(2, '0')}`,
      vehicles: index < 15 ? 100 : 200,
    }))
    const part = { kind: 'vehicles', name: 'Old', price: 31, per: 'month', end_date: '2026-10-15' }
    const result = compute(
      [part, { ...part, name: 'New', price: 62, start_date: '2026-10-16', end_date: null }],
      { vehicle_days: days },
    )
    expect(result.lines.map(({ description, amount }) => [description, amount])).toEqual([
      ['Old', '1500.00'],
      ['New', '6400.00'],
    ])
    expect(
      compute([{ kind: 'vehicles', name: 'Year', price: 365, per: 'year' }], { vehicle_days: days }).total,
    ).toBe('4700.00')
  })

  it('periods charge entire trips and parking events by their start', () => {
    const trips = ['2026-09-30T23:59:59-04:00', '2026-10-01T00:00:00-04:00', '2026-10-31T23:59:59-04:00']
    expect(
      compute([{ kind: 'trips', name: 'Trips', price: 1 }], {
        trips: trips.map((start_time) => ({ start_time })),
      }).total,
    ).toBe('2.00')
    expect(
      compute([byDuration([[0, null, 1]])], {
        parking_events: [park(120, '2026-10-31T23:00:00-04:00')],
      }).total,
    ).toBe('2.00')
  })

  it('periods count fleets by each of the four methods', () => {
    // Ten vehicles during half of the operating hours, one of them all day.
    const intervals = Array.from({ length: 10 }, (_, index) => ({
      vehicle_id: String(index),
      from: index === 0 ? '2026-10-05T00:00:00-04:00' : '2026-10-05T08:00:00-04:00',
      to: index === 0 ? '2026-10-06T00:00:00-04:00' : '2026-10-05T16:00:00-04:00',
    }))
    const amountBy = (method: string): string =>
      compute([{ kind: 'vehicles', name: 'Fleet', price: 1, method }], { vehicle_intervals: intervals }).total
    expect(['avg', 'max', 'sae_max', 'daytime_avg'].map(amountBy)).toEqual(['4.00', '10.00', '10.00', '5.50'])
  })
})

describe('limits and discounts', () => {
  it('limits and discounts are separate lines', () => {
    const trips = { kind: 'trips', name: 'Trips', price: 0.5 }
    const result = compute(
      [
        { ...trips, minimum: 10 },
        { kind: 'trips', name: 'Equity', price: 0.1, is_discount: true, areas: ['east'] },
      ],
      {
        trips: Array.from({ length: 4 }, (_, index) => ({
          start_time: '2026-10-05T10:00:00-04:00',
          areas: index ? ['east'] : [],
        })),
      },
    )
    expect(result.lines.map(({ description, amount }) => [description, amount])).toEqual([
      ['Trips', '2.00'],
      ['Trips: minimum', '8.00'],
      ['Equity', '-0.30'],
    ])
    expect(result.total).toBe('9.70')
  })

  it('limits and discounts apply prices of tiers to the quantity above them, or to all of it', () => {
    const tiers = [
      { from: 0, price: 1 },
      { from: 100, price: 2 },
    ]
    const amountBy = (tier_mode: string): string =>
      compute([{ kind: 'trips', name: 'Trips', tiers, tier_mode }], { trip_count: 150 }).total
    expect([amountBy('marginal'), amountBy('whole')]).toEqual(['200.00', '300.00'])
    expect(compute([{ kind: 'trips', name: 'Trips', price: 1, free: 100 }], { trip_count: 150 }).total).toBe(
      '50.00',
    )
  })

  it('limits and discounts reduce trips and parking in discounted areas by separate lines', () => {
    const discount = { percent: 50, areas: ['equity'] }
    const trip = (areas: string[], vehicle_type = 'scooter') => ({
      start_time: '2026-10-05T10:00:00-04:00',
      areas,
      vehicle_type,
    })
    const trips = [trip(['equity']), trip([]), trip(['other']), trip(['equity', 'other'], 'bicycle')]
    const toQuantitiesAndAmounts = (result: Charged) =>
      result.lines.map(({ quantity, amount }) => [quantity, amount])
    expect(
      toQuantitiesAndAmounts(compute([{ kind: 'trips', name: 'Trips', price: 0.25, discount }], { trips })),
    ).toEqual([
      ['1', '0.25'],
      ['3', '0.75'],
      ['2', '-0.25'],
    ])
    // Three of four trips at 0.40 are charged, so the mean price is 0.30.
    const tiers = { kind: 'trips', name: 'Trips', price: 0.4, free: 1, discount }
    expect(toQuantitiesAndAmounts(compute([tiers], { trips }))).toEqual([
      ['3', '1.20'],
      ['2', '-0.30'],
    ])
    const parking_events = [{ ...park(20), areas: ['equity'] }, park(40)]
    const flat = {
      ...byDuration(steps, { mode: 'flat', free_after: true }),
      discount: { percent: 20, areas: ['equity'] },
    }
    expect(compute([flat], { parking_events }).lines.map(({ amount }) => amount)).toEqual([
      '1.50',
      '3.00',
      '-0.30',
    ])
    expect(() => compute([{ ...flat, discount: { percent: 101, areas: [] } }], {})).toThrow(/percent/)
  })

  it('limits and discounts limit the amount of a vehicle on one day', () => {
    const part = { ...byDuration([[0, null, 1]]), maximum_per_vehicle_day: 5 }
    const events = [park(180), park(240, '2026-10-05T14:00:00-04:00'), park(60, '2026-10-06T10:00:00-04:00')]
    expect(
      compute([part], { parking_events: events.map((event) => ({ ...event, vehicle_id: 'a' })) }).total,
    ).toBe('6.00')
  })
})

describe('bad input names the field', () => {
  it.each<[string, object, RegExp]>([
    [
      'a gap',
      {
        tariff: {
          parts: [
            byDuration([
              [0, 30, 1],
              [40, null, 2],
            ]),
          ],
        },
      },
      /parts\.0\.structure\.bands: have a gap from 30 to 40/,
    ],
    [
      'an overlap',
      {
        tariff: {
          parts: [
            byDuration([
              [0, 30, 1],
              [20, null, 2],
            ]),
          ],
        },
      },
      /bands: overlap at 20 minutes/,
    ],
    ['no last band', { tariff: { parts: [byDuration([[0, 30, 1]])] } }, /bands: end at 30 minutes/],
    [
      'a negative price',
      { tariff: { parts: [{ kind: 'fixed', name: 'Fee', amount: -1 }] } },
      /parts\.0\.amount: is negative/,
    ],
    [
      'too many decimals',
      { tariff: { parts: [makeFixedCharge('Fee', 0.12345678)] } },
      /amount: has more than 6 decimals/,
    ],
    ['an absurd price', { tariff: { parts: [makeFixedCharge('Fee', 1e12)] } }, /amount: is above/],
    ['an unknown kind', { tariff: { parts: [{ kind: 'gift', name: 'x' }] } }, /tariff\.parts\.0\.kind/],
    [
      'a quantity that nobody reported',
      { tariff: { parts: [makeUnitCharge('devices', 1)] } },
      /devices is charged but not reported/,
    ],
    [
      'a reversed period',
      { period: { start_date: '2026-10-02', end_date: '2026-10-01' } },
      /period: ends before/,
    ],
    ['an unknown zone', { timezone: 'Mars/Olympus' }, /timezone/],
    [
      'an event that ends before it begins',
      { facts: { parking_events: [{ from: 2, to: 1 }] } },
      /parking_events\.0: ends before/,
    ],
  ])('%s', (_name, change, message) => {
    const whole = {
      timezone: 'America/New_York',
      currency: 'USD',
      period: october,
      tariff: { parts: [makeFixedCharge('Fee', 1)] },
      facts: {},
    }
    expect(() => chargeCase({ ...whole, ...change }, 'case')).toThrow(message)
  })
})

it.each([
  ['JPY', '1235'],
  ['KWD', '1234.567'],
  ['USD', '1234.57'],
])('amounts in %s have its digits', (currency, total) => {
  expect(compute([makeFixedCharge('Fee', 1234.567)], {}, { currency }).total).toBe(total)
})

it.each(['America/New_York', 'Australia/Lord_Howe'])(
  'in %s schedules and bands charge what a plain count by minutes charges, over changes of the clock',
  (timezone) => {
    const clock = civilClock(timezone)
    const makeRows = (prices: number[]) =>
      prices.map((price, index) => ({
        start_time: `${String(index * 6).padStart(2, '0')}:00`,
        end_time: index === 3 ? null : `${String(index * 6 + 6).padStart(2, '0')}:00`,
        price,
      }))
    const [all, saturday] = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ]
    const prices = { all: makeRows(all), saturday: makeRows(saturday) }
    const bands: [number, number | null, number][] = [
      [0, 45, 0],
      [45, 300, 3],
      [300, null, 7],
    ]
    const begin = Date.parse('2026-03-01T00:00:00Z')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 60 * 24 * 60 }), fc.integer({ min: 0, max: 3000 })), {
          minLength: 1,
          maxLength: 5,
        }),
        (spans) => {
          const events = spans.map(([at, minutes]) => ({
            from: begin + at * 60_000,
            to: begin + (at + minutes) * 60_000,
          }))
          let [schedule, duration] = [Rational.of(0), Rational.of(0)]
          const minute = new Rational(1n, 60n)
          for (const { from, to } of events)
            for (let at = from; at < to; at += 60_000) {
              const { day, hour } = clock.local(at)
              const table = getWeekday(dayFromNumber(day)) === 6 ? saturday : all
              schedule = schedule.plus(Rational.of(table[Math.floor(hour / 6)]!).times(minute))
              const parkedMinutes = (at - from) / 60_000
              const band = bands.find(
                ([start, end]) => parkedMinutes >= start && (end === null || parkedMinutes < end),
              )!
              duration = duration.plus(Rational.of(band[2]).times(minute))
            }
          const formatExact = (part: object): string =>
            compute(
              [part],
              { parking_events: events },
              { timezone, period: { start_date: '2026-02-27', end_date: '2026-05-05' } },
            )
              .lines.reduce((sum, line) => sum.plus(Rational.of(line.exact)), Rational.of(0))
              .text(6)
          expect(
            formatExact({ kind: 'parking', name: 'Parking', structure: { by: 'schedule', prices } }),
          ).toBe(schedule.text(6))
          expect(formatExact(byDuration(bands))).toBe(duration.text(6))
        },
      ),
      { numRuns: runs },
    )
  },
)
