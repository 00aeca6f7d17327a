import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '#contract/period.ts'
import {
  add,
  limitLines,
  type Band,
  type Discount,
  hasDiscount,
  getDiscountShare,
  roundToCents,
  getClockAt,
  countDurationMinutes,
  countFleet,
  type Fraction,
  toFraction,
  money,
  type Parked,
  makeParkingLines,
  type PlainLine,
  priceLines,
  makePricedLines,
  scheduleMinutes,
  type Standing,
  multiply,
} from '../../test/billing/plain-charges.ts'
import { amount, price, pricing } from '../../test/billing/charge-arbitraries.ts'
import { chargeCase } from './charge-case.ts'

const runs = Number(process.env['CHARGE_RUNS'] ?? 15)

/** Periods with clock changes by an hour or half an hour, and with a leap day. */
const periods = [
  ['America/New_York', '2026-03-06', '2026-03-10'],
  ['America/New_York', '2026-10-30', '2026-11-03'],
  ['Australia/Lord_Howe', '2026-04-03', '2026-04-06'],
  ['Australia/Lord_Howe', '2026-10-02', '2026-10-05'],
  ['Asia/Kolkata', '2028-02-27', '2028-03-01'],
] as const
type Period = (typeof periods)[number]

/** Returns all full minutes of a period of local days. */
function listMinutesIn([timezone, first, last]: Period): number[] {
  const [from, until] = [Date.parse(first) - dayMs, Date.parse(last) + 2 * dayMs]
  const minutes: number[] = []
  for (let ms = from; ms < until; ms += minuteMs) {
    const { date } = getClockAt(ms, timezone)
    if (date >= first && date <= last) minutes.push(ms)
  }
  return minutes
}
const minutesOfPeriod = new Map(periods.map((period) => [period, listMinutesIn(period)]))
const getMinutes = (period: Period): number[] => minutesOfPeriod.get(period) ?? []

/** Returns the lines that the engine charges, without empty ones. */
function chargeFees(
  [timezone, start_date, end_date]: Period,
  parts: object[],
  facts: object,
  others = {},
): PlainLine[] {
  const { lines } = chargeCase(
    { timezone, currency: 'USD', period: { start_date, end_date }, tariff: { parts }, facts, ...others },
    'case',
  ) as { lines: (PlainLine & { quantity: string })[] }
  return sortLines(
    lines.map(({ unit, unit_price, amount }) => ({
      unit,
      // The mean price of discounted trips may be a periodic decimal.
      unit_price: unit === '' || (unit === 'trips' && amount.startsWith('-')) ? null : unit_price,
      amount,
    })),
  )
}
const sortLines = (lines: readonly PlainLine[]): PlainLine[] =>
  lines
    .filter(({ amount }) => amount !== '0.00')
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

const formatTime = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
const type = fc.constantFrom('bicycle', 'scooter_standing')
const isOfTypes = (exempt: readonly string[], event: { vehicle_type: string }): boolean =>
  !exempt.includes(event.vehicle_type)
const exemptTypes = fc.subarray(['bicycle'])
const period = fc.constantFrom(...periods)

/** Rows that do not overlap. The last one may run overnight until the first. */
const rows = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 0, max: 47 }), { minLength: 2, maxLength: 5 }),
    fc.array(price, { minLength: 5, maxLength: 5 }),
    fc.constantFrom('overnight', 'midnight', 'gap'),
  )
  .map(([halfHours, prices, last]) => {
    const starts = halfHours.toSorted((a, b) => a - b).map((halfHour) => formatTime(halfHour * 30))
    return starts.flatMap((start_time, index) => {
      const next = starts[index + 1]
      if (next === undefined && last === 'gap') return []
      return [
        {
          start_time: start_time === '00:00' ? null : start_time,
          end_time: next ?? (last === 'overnight' ? (starts[0] ?? null) : null),
          price: prices[index] ?? '1',
        },
      ]
    })
  })
const prices = fc.record(
  { all: rows, weekday: rows, sunday: rows, saturday: rows, monday: rows },
  { requiredKeys: ['all'] },
)

/** Bands starting at 0. Each begins at the minute in which the previous one ends, or at the next. */
const bands = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 4 }),
    fc.array(price, { minLength: 5, maxLength: 5 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([ends, bandPrices, isInclusive, isFreeAfter]) => {
    const bounds = ends.toSorted((a, b) => a - b)
    const contiguous: Band[] = bounds.map((end, index) => ({
      start: index
        ? (bounds[index - 1] ?? 0) + (isInclusive && (bounds[index - 1] ?? 0) + 1 < end ? 1 : 0)
        : 0,
      end,
      price: bandPrices[index] ?? '1',
    }))
    if (!isFreeAfter)
      contiguous.push({
        start: (bounds.at(-1) ?? 0) + (isInclusive ? 1 : 0),
        end: null,
        price: bandPrices[4] ?? '1',
      })
    return { bands: contiguous, isFreeAfter }
  })

/** Returns parking events that begin in a period, or on the day before or after. */
const parkedIn = (period: Period) =>
  fc.array(
    fc
      .record({
        at: fc.integer({ min: -1440, max: getMinutes(period).length + 1440 }),
        length: fc.oneof(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 3000 })),
        vehicle_id: fc.constantFrom('a', 'b'),
        vehicle_type: type,
        areas: inAreas,
      })
      .map(({ at: minute, length, ...vehicle }): Parked => {
        const from = (getMinutes(period)[0] ?? 0) + minute * minuteMs
        return { from, to: from + length * minuteMs, ...vehicle }
      }),
    { minLength: 1, maxLength: 5 },
  )
const startsIn = ([timezone, first, last]: readonly [string, string, string], from: number): boolean => {
  const { date } = getClockAt(from, timezone)
  return date >= first && date <= last
}

const maximum = fc.option(price)
/** The areas in which a fact lies. */
const inAreas = fc.subarray(['east', 'west'])
/** An equity discount that applies to some of the facts. */
const discount = fc.option(
  fc.record({
    percent: fc.oneof(
      fc.constant('100'),
      fc.integer({ min: 1, max: 399 }).map((quarters) => String(quarters / 4)),
    ),
    areas: fc.constantFrom<string[]>(['east'], ['east', 'west'], ['north']),
  }),
)
const anyParkingCase = <Table>(tables: fc.Arbitrary<Table>) =>
  period.chain((period) =>
    fc.record({
      period: fc.constant(period),
      events: parkedIn(period),
      table: tables,
      exempt: exemptTypes,
      maximum,
      discount,
    }),
  )
const parkingPart = (
  structure: object,
  exempt: readonly string[],
  maximum: string | null,
  discount: Discount | null,
) => ({
  kind: 'parking',
  name: 'Parking',
  exempt_vehicle_types: exempt,
  maximum_per_vehicle_day: maximum,
  discount,
  structure,
})

describe('parking charges equal a sum minute by minute', () => {
  it('by day and time, with overnight rows and clock changes', () => {
    fc.assert(
      fc.property(anyParkingCase(prices), ({ period, events, table, exempt, maximum, discount }) => {
        const chargedEvents = events.filter(
          (event) => startsIn(period, event.from) && isOfTypes(exempt, event),
        )
        expect(
          chargeFees(period, [parkingPart({ by: 'schedule', prices: table }, exempt, maximum, discount)], {
            parking_events: events,
          }),
        ).toEqual(
          sortLines(
            makeParkingLines(chargedEvents, (event) => scheduleMinutes(table, event, period[0]), {
              isFlat: false,
              maximum,
              timezone: period[0],
              discount,
            }),
          ),
        )
      }),
      { numRuns: runs },
    )
  })

  it.each(['marginal', 'flat', 'retroactive'])('by duration, %s', (mode) => {
    fc.assert(
      fc.property(anyParkingCase(bands), ({ period, events, table, exempt, maximum, discount }) => {
        const chargedEvents = events.filter(
          (event) => startsIn(period, event.from) && isOfTypes(exempt, event),
        )
        const structure = { by: 'duration', mode, bands: table.bands, free_after: table.isFreeAfter }
        expect(
          chargeFees(period, [parkingPart(structure, exempt, maximum, discount)], { parking_events: events }),
        ).toEqual(
          sortLines(
            makeParkingLines(chargedEvents, (event) => countDurationMinutes(table.bands, mode, event), {
              isFlat: mode === 'flat',
              maximum,
              timezone: period[0],
              discount,
            }),
          ),
        )
      }),
      { numRuns: runs },
    )
  })
})

const methods = ['avg', 'max', 'sae_max', 'daytime_avg'] as const
const units = { day: 'vehicle-days', month: 'vehicles, mean of the month', year: 'vehicle-years' }
const listDays = ([, first, last]: Period): string[] =>
  Array.from({ length: (Date.parse(last) - Date.parse(first)) / dayMs + 1 }, (_, index) =>
    new Date(Date.parse(first) + index * dayMs).toISOString().slice(0, 10),
  )
const getDaysIn = (per: keyof typeof units, date: string): number => {
  const [year = 0, month = 0] = date.split('-').map(Number)
  return per === 'day'
    ? 1
    : per === 'month'
      ? new Date(Date.UTC(year, month, 0)).getUTCDate()
      : (Date.UTC(year + 1, 0) - Date.UTC(year, 0)) / dayMs
}

describe('fleet charges equal a count minute by minute', () => {
  it.each(methods)(
    '%s: per day, month and year, with tiers, revisions in mid-period, and vehicles that come and go',
    (method) => {
      const fleets = period.chain((period) =>
        fc.record({
          period: fc.constant(period),
          intervals: fc.array(
            fc
              .record({
                at: fc.integer({ min: -600, max: getMinutes(period).length }),
                length: fc.integer({ min: 0, max: 4000 }),
                state: fc.constantFrom('available', 'on_trip', 'non_operational', 'removed'),
                vehicle_type: type,
              })
              .map(({ at: minute, length, ...others }) => {
                const from = (getMinutes(period)[0] ?? 0) + minute * minuteMs
                return { from, to: from + length * minuteMs, ...others }
              }),
            { maxLength: 6 },
          ),
          pricings: fc.tuple(pricing, pricing),
          per: fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])),
          change: fc.nat(4),
          exempt: exemptTypes,
          minimum: fc.option(amount),
          maximum: fc.option(amount),
        }),
      )
      fc.assert(
        fc.property(fleets, ({ period, intervals, pricings, per, change, exempt, minimum, maximum }) => {
          const [timezone] = period
          const days = listDays(period)
          const hours = { from: '06:00', until: '22:00' }
          const split = Math.min(change, days.length)
          const revisions = [days.slice(0, split), days.slice(split)]
          const chargedIntervals: Standing[] = intervals.filter((interval) => isOfTypes(exempt, interval))
          const limits = {
            minimum,
            maximum: maximum !== null && Number(maximum) >= Number(minimum ?? 0) ? maximum : null,
          }
          const expected = revisions.flatMap((dates, index) => {
            const sums = new Map<string, Fraction>()
            const terms = pricings[index as 0 | 1]
            for (const date of dates) {
              const fleet = countFleet(date, getMinutes(period), {
                intervals: chargedIntervals,
                method,
                hours,
                timezone,
              })
              for (const [unitPrice, quantity] of priceLines(fleet, terms))
                sums.set(
                  unitPrice,
                  add(
                    sums.get(unitPrice) ?? [0n, 1n],
                    multiply(quantity, [1n, BigInt(getDaysIn(per, date))]),
                  ),
                )
            }
            return limitLines(sortLines(makePricedLines(units[per], sums)), limits.minimum, limits.maximum)
          })
          const parts = revisions.map((dates, index) => ({
            kind: 'vehicles',
            name: `Revision ${index}`,
            method,
            per,
            exempt_vehicle_types: exempt,
            ...pricings[index as 0 | 1],
            ...limits,
            start_date: dates[0] ?? '2030-01-01',
            end_date: dates.at(-1) ?? '2030-01-01',
          }))
          expect(
            chargeFees(
              period,
              parts,
              { vehicle_intervals: intervals.map((interval, n) => ({ ...interval, vehicle_id: String(n) })) },
              { operating_hours: hours },
            ),
          ).toEqual(sortLines(expected))
        }),
        { numRuns: runs },
      )
    },
  )
})

describe('trip charges equal a count trip by trip', () => {
  it('with exempt types, minimums of trips, free trips, tiers and limits, by revision', () => {
    const trips = period.chain((period) =>
      fc.record({
        period: fc.constant(period),
        trips: fc.array(
          fc
            .record({
              at: fc.integer({ min: -600, max: getMinutes(period).length + 600 }),
              vehicle_type: type,
              duration_s: fc.option(fc.integer({ min: 0, max: 300 })),
              distance_m: fc.option(fc.integer({ min: 0, max: 300 })),
              areas: inAreas,
            })
            .map(({ at: minute, ...others }) => ({
              start_time: (getMinutes(period)[0] ?? 0) + minute * minuteMs,
              ...others,
            })),
          { maxLength: 25 },
        ),
        pricings: fc.tuple(pricing, pricing),
        change: fc.nat(4),
        exempt: exemptTypes,
        discount,
        seconds: fc.integer({ min: 0, max: 200 }),
        meters: fc.integer({ min: 0, max: 200 }),
      }),
    )
    fc.assert(
      fc.property(trips, ({ period, trips: all, pricings, change, exempt, discount, seconds, meters }) => {
        const days = listDays(period)
        const split = Math.min(change, days.length)
        const revisions = [days.slice(0, split), days.slice(split)]
        const expected = revisions.flatMap((dates, index) => {
          const terms = pricings[index as 0 | 1]
          const chargedTrips = all.filter(
            (trip) =>
              dates.includes(getClockAt(trip.start_time, period[0]).date) &&
              isOfTypes(exempt, trip) &&
              (trip.duration_s === null || trip.duration_s >= seconds) &&
              (trip.distance_m === null || trip.distance_m >= meters),
          )
          const areTogether = terms.tiers.length > 0 || terms.free !== '0'
          const groups = areTogether
            ? [chargedTrips]
            : ['bicycle', 'scooter_standing'].map((vehicleType) =>
                chargedTrips.filter((trip) => trip.vehicle_type === vehicleType),
              )
          const lines = groups.map((group) => priceLines([BigInt(group.length), 1n], terms))
          const inDiscount = chargedTrips.filter((trip) => hasDiscount(discount, trip.areas)).length
          // Discounts use the mean price of all trips: no single trip is in a tier, or free.
          const full = lines
            .flat()
            .reduce<Fraction>(
              (sum, [unitPrice, quantity]) => add(sum, multiply(quantity, toFraction(unitPrice))),
              [0n, 1n],
            )
          return [
            ...lines.flatMap((line) => makePricedLines('trips', new Map(line))),
            ...(discount && inDiscount
              ? [
                  {
                    unit: 'trips',
                    unit_price: null,
                    amount: money(
                      -roundToCents(
                        multiply(multiply(full, getDiscountShare(discount)), [
                          BigInt(inDiscount),
                          BigInt(chargedTrips.length),
                        ]),
                      ),
                    ),
                  },
                ]
              : []),
          ]
        })
        const parts = revisions.map((dates, index) => ({
          kind: 'trips',
          name: `Revision ${index}`,
          exempt_vehicle_types: exempt,
          discount,
          minimum_duration: seconds,
          minimum_distance: meters,
          ...pricings[index as 0 | 1],
          start_date: dates[0] ?? '2030-01-01',
          end_date: dates.at(-1) ?? '2030-01-01',
        }))
        expect(chargeFees(period, parts, { trips: all })).toEqual(sortLines(expected))
      }),
      { numRuns: runs },
    )
  })
})
