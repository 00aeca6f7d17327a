import { z } from 'zod'
import { civilClock, startOfDay, endOfDay } from '#contract/civil-clock.ts'
import { currencyDigits } from '#contract/money.ts'
import { dayNumber, hourMs, LocalDay, minuteMs } from '#contract/period.ts'
import { contiguousBands } from '#contract/policy-types/parking-fees.ts'
import { Zone } from '#contract/regions.ts'
import { deployedStates } from '#contract/vehicle-states.ts'
import { charge, type ChargeLine, chargeVehicles } from './charge.ts'
import { ParkingSums, chargeParking } from './charge-parking.ts'
import {
  type ChargedFacts,
  isDiscounted,
  isInAreas,
  isOfType,
  type Span,
  type TripPart,
  type VehiclePart,
} from './charged-facts.ts'
import { max, formatMinor, Rational, sumRationals, zero } from './rational.ts'
import { openRateCase, RateCase } from './mds-rates/rate-case.ts'
import { Tariff } from './tariff.ts'

const maxPeriodDays = 5 * 366

/** ISO 8601 with a zone or `Z`, or ms since 1970. */
const Moment = z.union([
  z.number().finite(),
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
])
const Quantity = z.union([z.number(), z.string()]).transform((value, context) => {
  try {
    return Rational.of(value)
  } catch {
    context.addIssue(`is not a decimal number: ${value}`)
    return z.NEVER
  }
})
const areas = z.array(z.string()).default([])
const vehicle_type = z.string().default('')
const Interval = z
  .object({
    vehicle_id: z.string(),
    vehicle_type,
    state: z.string().default('available'),
    from: Moment,
    to: Moment,
  })
  .refine(({ from, to }) => from <= to, 'ends before it begins')
type Interval = z.output<typeof Interval>

/** A case: a tariff, facts of one payer, and a period. Missing facts count as none; quantities do not. */
const ChargeCase = z
  .object({
    id: z.string().optional(),
    timezone: Zone,
    currency: z.string().regex(/^[A-Z]{3}$/, 'is not a currency code (ISO 4217)'),
    period: z
      .object({ start_date: LocalDay, end_date: LocalDay })
      .refine(({ start_date, end_date }) => start_date <= end_date, 'ends before it begins')
      .refine(
        ({ start_date, end_date }) => dayNumber(end_date) - dayNumber(start_date) < maxPeriodDays,
        'is longer than five years',
      ),
    /** Used by the counting method `daytime_avg`. */
    operating_hours: z
      .object({ from: z.string().regex(/^\d\d:\d\d$/), until: z.string().regex(/^\d\d:\d\d$/) })
      .default({ from: '06:00', until: '22:00' }),
    tariff: Tariff.optional(),
    /** MDS policies with charged rates, and the payer's fleet in MDS format. */
    mds: RateCase.optional(),
    /** The time until which facts are known; by default the end of the period. */
    now: Moment.optional(),
    facts: z
      .object({
        trips: z
          .array(
            z.object({
              vehicle_type,
              start_time: Moment,
              duration_s: z.number().nullable().default(null),
              distance_m: z.number().nullable().default(null),
              areas,
            }),
          )
          .default([]),
        /** Trips given as a number instead of rows. All of them start with the period. */
        trip_count: z.number().int().min(0).default(0),
        parking_events: z
          .array(
            z
              .object({ vehicle_id: z.string().default(''), vehicle_type, from: Moment, to: Moment, areas })
              .refine(({ from, to }) => from <= to, 'ends before it begins'),
          )
          .default([]),
        /** The fleet as intervals, or as vehicle counts by day. */
        vehicle_intervals: z.array(Interval).default([]),
        vehicle_days: z.array(z.object({ date: LocalDay, vehicle_type, vehicles: Quantity })).default([]),
        quantities: z.record(z.string(), Quantity).default({}),
      })
      .prefault({}),
  })
  .refine(({ tariff, mds }) => tariff ?? mds, {
    path: ['tariff'],
    message: 'is missing, and so are mds.policies',
  })
  .superRefine(({ tariff }, context) => {
    tariff?.parts.forEach((part, index) => {
      if (part.kind !== 'parking' || part.structure.by !== 'duration') return
      try {
        contiguousBands(part.structure.bands, part.structure.free_after)
      } catch (error) {
        context.addIssue({
          code: 'custom',
          path: ['tariff', 'parts', index, 'structure', 'bands'],
          message: (error as Error).message,
        })
      }
    })
  })
type ChargeCase = z.output<typeof ChargeCase>

/** Returns the exact average number of concurrent intervals during the spans. */
function computeAverageCount(
  intervals: readonly Interval[],
  spans: readonly (readonly [number, number])[],
): Rational {
  const length = spans.reduce((sum, [from, until]) => sum + until - from, 0)
  if (length <= 0) return zero
  const ms = intervals.reduce(
    (sum, interval) =>
      sum +
      spans.reduce(
        (total, [from, until]) =>
          total + Math.max(0, Math.min(interval.to, until) - Math.max(interval.from, from)),
        0,
      ),
    0,
  )
  return new Rational(BigInt(Math.round(ms)), BigInt(length))
}

/** Returns a function that counts the fleet of a day by one of four methods (docs/metrics.md, Fleet size). */
function createFleetCounter(
  { vehicle_intervals: intervals, vehicle_days: days }: ChargeCase['facts'],
  timezone: string,
  { from: opening, until: closing }: ChargeCase['operating_hours'],
): (part: VehiclePart, day: LocalDay) => Rational {
  const clock = civilClock(timezone)
  const toSeconds = (time: string): number => Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60
  const deployed = intervals.filter(({ state }) => (deployedStates as readonly string[]).includes(state))
  return (part, day) => {
    if (days.length)
      return sumRationals(
        days
          .filter((entry) => entry.date === day && isOfType(part, entry.vehicle_type))
          .map(({ vehicles }) => vehicles),
      )
    const from = startOfDay(day, timezone)
    const until = endOfDay(day, timezone)
    const matching = deployed.filter(
      (interval) => interval.from < until && interval.to > from && isOfType(part, interval.vehicle_type),
    )
    switch (part.method) {
      case 'avg':
        return computeAverageCount(matching, [[from, until]])
      case 'daytime_avg':
        return computeAverageCount(matching, [
          [
            clock.instant(dayNumber(day), toSeconds(opening)).ms,
            clock.instant(dayNumber(day) + (closing > opening ? 0 : 1), toSeconds(closing)).ms,
          ],
        ])
      case 'sae_max': {
        let largest = zero
        // Hours of the local clock. A clock change by half an hour shortens one.
        for (let hourStart = from; hourStart < until;) {
          const msIntoHour = (clock.local(hourStart).seconds * 1000) % hourMs
          const hourEnd = Math.min(until, hourStart + hourMs - msIntoHour)
          largest = max(largest, computeAverageCount(matching, [[hourStart, hourEnd]]))
          hourStart = hourEnd
        }
        return largest
      }
      case 'max': {
        let largest = 0
        // The fleet is counted at each full minute.
        for (let time = Math.ceil(from / minuteMs) * minuteMs; time < until; time += minuteMs)
          largest = Math.max(
            largest,
            matching.filter((interval) => interval.from <= time && time < interval.to).length,
          )
        return Rational.of(largest)
      }
    }
  }
}

const isWithin = (time: number, { from, until }: Span): boolean => time >= from && time < until

const isChargedTrip = (
  part: TripPart,
  span: Span,
  {
    vehicle_type: type,
    start_time: time,
    duration_s: seconds,
    distance_m: meters,
    areas: tripAreas,
  }: ChargeCase['facts']['trips'][number],
): boolean =>
  isWithin(time, span) &&
  isOfType(part, type) &&
  isInAreas(part.areas, tripAreas) &&
  !(seconds !== null && seconds < part.minimum_duration) &&
  !(meters !== null && meters < part.minimum_distance)

/** Makes the facts of a case. Trips of `trip_count` start with the period, without type and area. */
function makeCaseFacts({
  facts,
  timezone,
  period,
  operating_hours: operating,
}: Pick<ChargeCase, 'facts' | 'timezone' | 'period' | 'operating_hours'>): Omit<ChargedFacts, 'rates'> {
  const clock = civilClock(timezone)
  const start = startOfDay(period.start_date, timezone)
  const countFleet = createFleetCounter(facts, timezone, operating)
  return {
    trips: (part, span) => {
      const counts = new Map<string, number>()
      const add = (type: string, trips: number) => counts.set(type, (counts.get(type) ?? 0) + trips)
      for (const trip of facts.trips) if (isChargedTrip(part, span, trip)) add(trip.vehicle_type, 1)
      if (facts.trip_count && isWithin(start, span) && isOfType(part, '') && isInAreas(part.areas, []))
        add('', facts.trip_count)
      return counts
    },
    discountedTrips: (part, span) =>
      facts.trips.filter((trip) => isChargedTrip(part, span, trip) && isDiscounted(part, trip.areas)).length,
    vehicles: (part, days) => days.flatMap((day) => chargeVehicles(part, day, countFleet(part, day))),
    parking: (part, span) => {
      const sums = new ParkingSums(part, clock)
      const discounted = new ParkingSums(part, clock)
      for (const {
        vehicle_id: vehicleId,
        vehicle_type: vehicleType,
        from,
        to,
        areas: eventAreas,
      } of facts.parking_events)
        if (isWithin(from, span) && isOfType(part, vehicleType) && isInAreas(part.areas, eventAreas)) {
          const event = { vehicleId, vehicleType, from, to }
          sums.add(event, isDiscounted(part, eventAreas))
          if (isDiscounted(part, eventAreas)) discounted.add(event)
        }
      return chargeParking(part, sums.getShares(), discounted.getShares(), sums.computeExcess())
    },
    quantities: facts.quantities,
  }
}

const formatLine = (
  { part, description, quantity, unit, unitPrice, exact, amount }: ChargeLine,
  digits: number,
) => ({
  part,
  description,
  quantity: quantity.text(),
  unit,
  unit_price: unitPrice?.text() ?? null,
  exact: exact.text(),
  amount: formatMinor(amount, digits),
})

/**
 * Charges a case with the engine that computes invoices. Returns `{id, currency, lines, total}` with amounts
 * as decimal strings, and `notes` about rates that are not charged. `name` is the id of a case without one.
 * @throws Error that names the invalid field if the case cannot be charged.
 */
export function chargeCase(raw: unknown, name: string): object {
  const parsed = ChargeCase.safeParse(raw)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path.join('.') || 'the case'}: ${issue?.message ?? 'is not understood'}`)
  }
  const { id = name, timezone, currency, period, tariff, mds, now = Infinity } = parsed.data
  const digits = currencyDigits(currency)
  const rateCase = mds && openRateCase(mds, currency)
  const parts = [...(tariff?.parts ?? []), ...(rateCase?.parts ?? [])]
  const span = {
    from: startOfDay(period.start_date, timezone),
    until: Math.min(endOfDay(period.end_date, timezone), now),
  }
  const lines = charge(
    { name: tariff?.name ?? '', minimum: tariff?.minimum ?? null, maximum: tariff?.maximum ?? null, parts },
    {
      ...makeCaseFacts(parsed.data),
      rates: (part) => rateCase?.count(part, span, civilClock(timezone)) ?? [],
    },
    { timezone, currency, period },
  )
  return {
    id,
    currency,
    lines: lines.map((line) => formatLine(line, digits)),
    total: formatMinor(
      lines.reduce((sum, { amount }) => sum + amount, 0n),
      digits,
    ),
    ...(rateCase?.notes.length ? { notes: rateCase.notes } : {}),
  }
}
