import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import type { CdsRate } from '#contract/cds.ts'
import { hourMs, minuteMs } from '#contract/period.ts'
import { plainCharge } from '../../../test/curb/plain-charge.ts'
import { chargeStay } from './charge-stay.ts'

const timezone = 'America/New_York'
/** Monday, 10:20 in New York. */
const arrival = Date.parse('2026-05-04T14:20:00Z')
const computeCost = (rates: CdsRate[], minutes: number, application?: 'flat'): number =>
  chargeStay(rates, { startMs: arrival, endMs: arrival + minutes * minuteMs, timezone }, application).amount

describe('flat steps by the length of a stay (CDS issue 131)', () => {
  const expected = [
    [7, 0],
    [16, 150],
    [28, 150],
    [40, 300],
  ] as const
  it.each(expected)('charges %i minutes: %i as flat rates', (minutes, amount) => {
    const rates: CdsRate[] = [
      { rate: 0, rate_unit: 'minute', end_duration: 15 },
      { rate: 150, rate_unit: 'minute', start_duration: 15, end_duration: 30 },
      { rate: 300, rate_unit: 'minute', start_duration: 30, end_duration: 60 },
    ]
    expect(computeCost(rates, minutes, 'flat')).toBe(amount)
  })
  it.each(expected)('charges %i minutes: %i as increments', (minutes, amount) => {
    const rates: CdsRate[] = [
      { rate: 0, rate_unit: 'minute', end_duration: 15 },
      { rate: 10, rate_unit: 'minute', increment_duration: 15, start_duration: 15, end_duration: 30 },
      { rate: 5, rate_unit: 'minute', increment_duration: 30, start_duration: 30, end_duration: 60 },
    ]
    expect(computeCost(rates, minutes)).toBe(amount)
  })
})

test.each<[string, CdsRate[], number, number]>([
  ['$5 an hour, rolling', [{ rate: 500, rate_unit: 'hour', rate_unit_period: 'rolling' }], 90, 750],
  ['$30 a calendar day', [{ rate: 3000, rate_unit: 'day', rate_unit_period: 'calendar' }], 60, 3000],
  [
    '$30 a calendar day, over midnight',
    [{ rate: 3000, rate_unit: 'day', rate_unit_period: 'calendar' }],
    14 * 60,
    6000,
  ],
  [
    '$2 a calendar hour: 10:20 to 11:10 is in two',
    [{ rate: 200, rate_unit: 'hour', rate_unit_period: 'calendar' }],
    50,
    400,
  ],
  [
    '$1 an hour, at most $7.50 (issue 116)',
    [{ rate: 100, rate_unit: 'hour', maximum_fee: 750 }],
    9 * 60,
    750,
  ],
  [
    '$1 an hour rounded up to quarters of a dollar',
    [{ rate: 100, rate_unit: 'hour', increment_amount: 25 }],
    16,
    50,
  ],
  ['in steps of 15 minutes', [{ rate: 2, rate_unit: 'minute', increment_duration: 15 }], 16, 60],
  ['a third of a cent is rounded up', [{ rate: 100, rate_unit: 'hour' }], 1, 2],
  [
    '$1 for the first hour, then $2',
    [
      { rate: 200, rate_unit: 'hour', start_duration: 1 },
      { rate: 100, rate_unit: 'hour', end_duration: 1 },
    ],
    150,
    400,
  ],
  [
    'an increment ends with its part',
    [
      { rate: 1, rate_unit: 'minute', increment_duration: 10, end_duration: 15 },
      { rate: 10, rate_unit: 'minute', start_duration: 15 },
    ],
    16,
    25,
  ],
  [
    'a maximum for all of it after free time',
    [
      { rate: 0, rate_unit: 'hour', end_duration: 1 },
      { rate: 400, rate_unit: 'hour', start_duration: 1, maximum_fee: 600 },
    ],
    240,
    600,
  ],
  [
    'time without a rate is free',
    [{ rate: 400, rate_unit: 'hour', start_duration: 1, end_duration: 2 }],
    240,
    400,
  ],
  ['no rates', [], 60, 0],
  ['no time', [{ rate: 3000, rate_unit: 'day', rate_unit_period: 'calendar' }], 0, 0],
])('chargeStay charges %s', (_, rates, minutes, amount) => {
  expect(computeCost(rates, minutes)).toBe(amount)
})

test.each<[CdsRate, string, string, number]>([
  // A rolling month ends at the same local time, 19:25:52 on the 25th, although the clock changes.
  [
    { rate: 9000, rate_unit: 'month', increment_duration: 1 },
    '2022-02-26T00:25:52Z',
    '2022-03-25T23:25:52Z',
    9000,
  ],
  [
    { rate: 9000, rate_unit: 'month', increment_duration: 1 },
    '2022-02-26T00:25:52Z',
    '2022-03-25T23:25:53Z',
    18_000,
  ],
  [
    { rate: 9000, rate_unit: 'month', rate_unit_period: 'calendar' },
    '2022-02-26T00:25:52Z',
    '2022-03-01T05:00:00Z',
    9000,
  ],
  [
    { rate: 9000, rate_unit: 'month', rate_unit_period: 'calendar' },
    '2022-02-26T00:25:52Z',
    '2022-03-01T05:00:01Z',
    18_000,
  ],
  // From the last day of January to the last day of February.
  [
    { rate: 9000, rate_unit: 'month', increment_duration: 1 },
    '2026-01-31T17:00:00Z',
    '2026-02-28T17:00:00Z',
    9000,
  ],
  // A calendar week ends at midnight before Monday.
  [
    { rate: 500, rate_unit: 'week', rate_unit_period: 'calendar' },
    '2026-05-03T12:00:00Z',
    '2026-05-04T04:00:00Z',
    500,
  ],
  [
    { rate: 500, rate_unit: 'week', rate_unit_period: 'calendar' },
    '2026-05-03T12:00:00Z',
    '2026-05-04T04:00:01Z',
    1000,
  ],
  [
    { rate: 100_000, rate_unit: 'year', rate_unit_period: 'calendar' },
    '2025-12-31T12:00:00Z',
    '2026-01-02T04:00:01Z',
    200_000,
  ],
  // A rolling day from 02:30 ends at 03:30 if the clock skips 02:30 on the next day.
  [
    { rate: 2400, rate_unit: 'day', increment_duration: 1 },
    '2026-03-07T07:30:00Z',
    '2026-03-08T07:30:00Z',
    2400,
  ],
  // A day of 23 hours.
  [{ rate: 2400, rate_unit: 'day' }, '2026-03-07T17:00:00Z', '2026-03-08T16:00:00Z', 2400],
])('chargeStay charges %o from %s to %s', (rate, start, end, amount) => {
  const stay = { startMs: Date.parse(start), endMs: Date.parse(end), timezone }
  expect(chargeStay([rate], stay).amount).toBe(amount)
})

test('chargeStay returns the amount of each rate', () => {
  const rates: CdsRate[] = [
    { rate: 200, rate_unit: 'hour', start_duration: 1 },
    { rate: 100, rate_unit: 'hour', end_duration: 1 },
  ]
  expect(chargeStay(rates, { startMs: arrival, endMs: arrival + 2 * hourMs, timezone })).toEqual({
    amount: 300,
    parts: [
      { rate: 1, amount: 100 },
      { rate: 0, amount: 200 },
    ],
  })
})

/** Set CURB_RULES_RUNS=10000 for a longer search. */
test('chargeStay charges the same as the reference, which counts minute by minute', () => {
  const optional = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: undefined })
  const anyRate = fc.record({
    rate: fc.nat(2000),
    rate_unit: fc.constantFrom('minute' as const, 'hour' as const, 'day' as const),
    rate_unit_period: fc.constantFrom(undefined, 'rolling' as const, 'calendar' as const),
    increment_duration: optional(1, 4),
    increment_amount: optional(1, 60),
    start_duration: optional(0, 3),
    end_duration: optional(1, 6),
    maximum_fee: optional(0, 6000),
  })
  const anyStay = fc.record({
    timezone: fc.constantFrom('America/New_York', 'Australia/Lord_Howe', 'America/Havana'),
    // Near the changes of the clock in spring and fall.
    start: fc.tuple(fc.constantFrom('2026-03-07', '2026-04-04', '2026-10-03', '2026-10-31'), fc.nat(2880)),
    minutes: fc.integer({ min: 0, max: 1800 }),
  })
  fc.assert(
    fc.property(
      fc.array(anyRate, { maxLength: 3 }),
      anyStay,
      (rates, { timezone, start: [day, minute], minutes }) => {
        const start = Date.parse(day) + minute * minuteMs
        const end = start + minutes * minuteMs
        const clock = civilClock(timezone)
        const localStart = clock.local(start)
        // The reference does not support rolling days that begin at a time that the clock skips. After a
        // change by half an hour, calendar hours of a stay begin at half past (see `fixedLengths` in
        // charge-stay.ts).
        const isHourly = rates.some(
          (rate) => rate.rate_unit === 'hour' && rate.rate_unit_period === 'calendar',
        )
        fc.pre(!isHourly || timezone !== 'Australia/Lord_Howe')
        fc.pre([1, 2, 3].every((days) => !clock.instant(localStart.day + days, localStart.seconds).skipped))
        const stay = { startMs: start, endMs: end, timezone }
        expect(chargeStay(rates, stay).amount).toBe(plainCharge(rates, start, end, timezone))
      },
    ),
    { numRuns: Number(process.env['CURB_RULES_RUNS'] ?? 100) },
  )
}, 3_600_000)
