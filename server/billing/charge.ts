import { startOfDay, endOfDay } from '#contract/civil-clock.ts'
import { currencyDigits } from '#contract/money.ts'
import { dayNumber, daysBetween, type LocalDay, startOfMonth, startOfNextMonth } from '#contract/period.ts'
import {
  getDiscountShare,
  describeDiscount,
  type Charge,
  type ChargeContext,
  type ChargedFacts,
  mergeCharges,
  type Span,
  type TripPart,
  type VehiclePart,
} from './charged-facts.ts'
import { max, min, Rational, sumRationals, zero } from './rational.ts'
import type { Tariff, TariffPart } from './tariff.ts'

/** A line of an invoice. `amount` is in the currency's minor unit, rounded once, halves away from zero. */
export interface ChargeLine extends Charge {
  /** Name of the tariff part, or of the tariff. */
  part: string
  amount: bigint
}

type PriceTerms = Pick<
  Extract<TariffPart, { kind: 'quantity' }>,
  'price' | 'free' | 'tiers' | 'tier_mode' | 'is_discount'
>

/**
 * Splits a quantity, after the free part, into the parts that are charged at the price of each tier. In the
 * mode `whole`, all of it is charged at the price of the tier that it reaches.
 */
export function splitByPrice(
  quantity: Rational,
  part: PriceTerms,
): { quantity: Rational; price: Rational }[] {
  const { price, free, tiers, tier_mode: mode, is_discount: isDiscount } = part
  const sign = Rational.of(isDiscount ? -1 : 1)
  const charged = max(zero, quantity.minus(free))
  if (!tiers.length) return [{ quantity: charged, price: (price ?? zero).times(sign) }]
  if (mode === 'whole') {
    const tier = tiers.findLast(({ from }) => charged.compare(from) >= 0)
    return tier ? [{ quantity: charged, price: tier.price.times(sign) }] : []
  }
  return tiers.flatMap(({ from, price: tierPrice }, index) => {
    const next = tiers[index + 1]?.from
    const quantityInTier = max(zero, (next ? min(charged, next) : charged).minus(from))
    return quantityInTier.compare(zero) > 0
      ? [{ quantity: quantityInTier, price: tierPrice.times(sign) }]
      : []
  })
}

const createCharge = (
  description: string,
  unit: string,
  quantity: Rational,
  unitPrice: Rational,
): Charge => ({ description, unit, quantity, unitPrice, exact: quantity.times(unitPrice) })

/** Returns the local days of a period on which a part applies. */
function findDaysInEffect(
  { start_date: start, end_date: end }: Pick<TariffPart, 'start_date' | 'end_date'>,
  period: ChargeContext['period'],
): LocalDay[] {
  const first = start !== null && start > period.start_date ? start : period.start_date
  const last = end !== null && end < period.end_date ? end : period.end_date
  return daysBetween(first, last)
}

/** Returns the number of days in the month or year of a day; 1 for a price per day. */
function countDaysIn(per: 'day' | 'month' | 'year', day: LocalDay): number {
  if (per === 'day') return 1
  if (per === 'month') return dayNumber(startOfNextMonth(day)) - dayNumber(startOfMonth(day))
  const year = Number(day.slice(0, 4))
  return dayNumber(`${year + 1}-01-01`) - dayNumber(`${year}-01-01`)
}

/** Charges the fleet of one local day, also in tiers. A price per month or year is prorated by day. */
export function chargeVehicles(part: VehiclePart, day: LocalDay, fleet: Rational): Charge[] {
  const unit = { day: 'vehicle-days', month: 'vehicles, mean of the month', year: 'vehicle-years' }[part.per]
  const share = new Rational(1n, BigInt(countDaysIn(part.per, day)))
  return splitByPrice(fleet, part).map(({ quantity, price }) =>
    createCharge(part.name, unit, quantity.times(share), price),
  )
}

/** Returns the time in which a part applies within the period, ms, half open; null if it never does. */
function findSpanInEffect(part: TariffPart, { period, timezone }: ChargeContext): Span | null {
  const days = findDaysInEffect(part, period)
  const firstDay = days[0]
  const lastDay = days.at(-1)
  if (!firstDay || !lastDay) return null
  return { from: startOfDay(firstDay, timezone), until: endOfDay(lastDay, timezone) }
}

function chargeTrips(part: TripPart, facts: ChargedFacts, context: ChargeContext): Charge[] {
  const span = findSpanInEffect(part, context)
  if (!span) return []
  const chargeCount = (description: string, count: number): Charge[] =>
    splitByPrice(Rational.of(BigInt(count)), part).map(({ quantity, price }) =>
      createCharge(description, 'trips', quantity, price),
    )
  const counts = [...facts.trips(part, span)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  // Free quantities and tiers apply to the trips of all types combined.
  const charges =
    part.tiers.length || part.free.compare(zero) > 0 || counts.length < 2
      ? chargeCount(part.name, total)
      : counts.flatMap(([type, count]) => chargeCount(type ? `${part.name}, ${type}` : part.name, count))
  const discounted = part.discount ? facts.discountedTrips(part, span) : 0
  if (!discounted || !total) return charges
  // Discounts apply to the mean price of all trips, because tiers and free trips belong to no single trip.
  const meanPrice = sumRationals(charges.map(({ exact }) => exact)).over(Rational.of(BigInt(total)))
  const price = meanPrice.times(getDiscountShare(part))
  return [...charges, createCharge(describeDiscount(part), 'trips', Rational.of(BigInt(discounted)), price)]
}

function requireQuantity(facts: ChargedFacts, name: string): Rational {
  const quantity = facts.quantities[name]
  if (!quantity) throw new RangeError(`quantities: ${name} is charged but not reported`)
  return quantity
}

function chargeRatePart(part: Extract<TariffPart, { kind: 'rates' }>, facts: ChargedFacts): Charge[] {
  const counts = facts.rates(part)
  return part.rates.flatMap(({ key, name, unit, amount }) => {
    const matching = counts
      .filter((count) => count.key === key)
      .toSorted((a, b) => (a.vehicleType < b.vehicleType ? -1 : 1))
    const label = name && name !== part.name ? `${part.name}, ${name}` : part.name
    const types = new Set(matching.map(({ vehicleType }) => vehicleType))
    return matching.map(({ vehicleType, quantity }) =>
      createCharge(
        types.size > 1 && vehicleType ? `${label}, ${vehicleType}` : label,
        unit,
        quantity,
        amount,
      ),
    )
  })
}

/** Returns the charges of a part of a tariff, by its kind. */
function chargePart(part: TariffPart, facts: ChargedFacts, context: ChargeContext): Charge[] {
  switch (part.kind) {
    case 'vehicles':
      return facts.vehicles(part, findDaysInEffect(part, context.period))
    case 'trips':
      return chargeTrips(part, facts, context)
    case 'parking': {
      const span = findSpanInEffect(part, context)
      return span ? facts.parking(part, span) : []
    }
    case 'rates':
      return chargeRatePart(part, facts)
    case 'quantity':
      return findDaysInEffect(part, context.period).length
        ? splitByPrice(requireQuantity(facts, part.quantity), part).map(({ quantity, price }) =>
            createCharge(part.name, part.quantity, quantity, price),
          )
        : []
    case 'revenue': {
      const above = max(zero, requireQuantity(facts, part.quantity).minus(part.above))
      return findDaysInEffect(part, context.period).length
        ? [createCharge(part.name, context.currency, above, part.percent.over(Rational.of(100)))]
        : []
    }
    case 'fixed':
      return findDaysInEffect(part, context.period).length
        ? [createCharge(part.name, '', Rational.of(1), part.amount)]
        : []
  }
}

/** Returns the line, if any, that raises an amount to its minimum or lowers it to its maximum. */
export function createBoundLines(
  name: string,
  amount: bigint,
  { minimum, maximum }: { minimum: Rational | null; maximum: Rational | null },
  digits: number,
): ChargeLine[] {
  const createBoundLine = (description: string, limit: Rational): ChargeLine => {
    const difference = limit.rounded(digits) - amount
    const exact = new Rational(difference, 10n ** BigInt(digits))
    return {
      part: name,
      description,
      quantity: Rational.of(1),
      unit: '',
      unitPrice: exact,
      exact,
      amount: difference,
    }
  }
  if (minimum && minimum.rounded(digits) > amount) return [createBoundLine(`${name}: minimum`, minimum)]
  if (maximum && maximum.rounded(digits) < amount) return [createBoundLine(`${name}: maximum`, maximum)]
  return []
}

const sumAmounts = (lines: readonly ChargeLine[]): bigint =>
  lines.reduce((sum, { amount }) => sum + amount, 0n)

/** Returns the lines of one part of a tariff. @throws RangeError if a charged quantity is missing. */
export function makePartLines(part: TariffPart, facts: ChargedFacts, context: ChargeContext): ChargeLine[] {
  const digits = currencyDigits(context.currency)
  const lines = mergeCharges(chargePart(part, facts, context)).map((line) => ({
    ...line,
    part: part.name,
    amount: line.exact.rounded(digits),
  }))
  return [...lines, ...createBoundLines(part.name, sumAmounts(lines), part, digits)]
}

/** Computes the lines that a payer is charged under a tariff. Amounts are exact; each line is rounded once. */
export function charge(tariff: Tariff, facts: ChargedFacts, context: ChargeContext): ChargeLine[] {
  const lines = tariff.parts.flatMap((part) => makePartLines(part, facts, context))
  const digits = currencyDigits(context.currency)
  return [...lines, ...createBoundLines(tariff.name || 'Invoice', sumAmounts(lines), tariff, digits)]
}
