import type { LocalDay } from '#contract/period.ts'
import { Rational, zero } from './rational.ts'
import type { TariffPart } from './tariff.ts'

/** A parking event. Times in ms since 1970. */
export interface ChargedParking {
  /** Empty if unknown. */
  vehicleId: string
  vehicleType: string
  from: number
  to: number
}
/** The vehicle types to which a part applies. */
export interface TypeFilter {
  vehicle_types: readonly string[]
  exempt_vehicle_types: readonly string[]
}
/** A span of time, ms since 1970, half open. */
export interface Span {
  from: number
  until: number
}
type PartOf<Kind> = Extract<TariffPart, { kind: Kind }>
export type ParkingPart = PartOf<'parking'>
export type TripPart = PartOf<'trips'>
export type VehiclePart = PartOf<'vehicles'>
export type RatePart = PartOf<'rates'>

/** The facts of one payer, as the parts of a tariff need them. */
export interface ChargedFacts {
  /** The number of trips that a part charges and that start in the span, by vehicle type. */
  trips: (part: TripPart, span: Span) => ReadonlyMap<string, number>
  /** The number of those trips that are discounted. */
  discountedTrips: (part: TripPart, span: Span) => number
  /** Charges of the fleet on each of the local days. */
  vehicles: (part: VehiclePart, days: readonly LocalDay[]) => Charge[]
  /** Charges of the parking events that begin in the span, including their time after it. */
  parking: (part: ParkingPart, span: Span) => Charge[]
  /** The number of times that rates apply, by key and vehicle type. */
  rates: (part: RatePart) => readonly RateCount[]
  /** Reported quantities by name. */
  quantities: Readonly<Record<string, Rational>>
}

/** The number of times that a rate applies to vehicles of one type. */
export interface RateCount {
  /** Key of the rate in its `RatePart`. */
  key: string
  vehicleType: string
  quantity: Rational
}

/** The terms under which a payer is charged. */
export interface ChargeContext {
  timezone: string
  currency: string
  /** Local days, both included. */
  period: { start_date: LocalDay; end_date: LocalDay }
}

/** A quantity at a price. `exact` is their product; it is negative for credits. */
export interface Charge {
  description: string
  quantity: Rational
  unit: string
  unitPrice: Rational | null
  exact: Rational
}

/** Whether a charge applies to a vehicle type. No included types means all. */
export const isOfType = (
  { vehicle_types: included, exempt_vehicle_types: exempt }: TypeFilter,
  type: string,
): boolean => (!included.length || included.includes(type)) && !exempt.includes(type)

/** Whether any of the areas is requested. No requested areas means everywhere. */
export const isInAreas = (requested: readonly string[], areas: readonly string[]): boolean =>
  !requested.length || requested.some((area) => areas.includes(area))

export const isDiscounted = ({ discount }: Pick<TripPart, 'discount'>, areas: readonly string[]): boolean =>
  discount !== null && discount.areas.some((area) => areas.includes(area))

/** Returns the discount as a negative fraction of a price; 0 without a discount. */
export const getDiscountShare = ({ discount }: Pick<TripPart, 'discount'>): Rational =>
  discount ? zero.minus(discount.percent.over(Rational.of(100))) : zero
/** Returns the description of the line of a discount. */
export const describeDiscount = ({ name, discount }: Pick<TripPart, 'name' | 'discount'>): string =>
  `${name}: ${discount?.percent.text() ?? 0} % less in discounted areas`

/** Merges charges with the same description, unit and price. The result has the order of first occurrence. */
export function mergeCharges(charges: readonly Charge[]): Charge[] {
  const merged = new Map<string, Charge>()
  for (const charge of charges) {
    const key = [charge.description, charge.unit, charge.unitPrice?.text(12) ?? ''].join('\t')
    const existing = merged.get(key)
    merged.set(
      key,
      existing
        ? {
            ...existing,
            quantity: existing.quantity.plus(charge.quantity),
            exact: existing.exact.plus(charge.exact),
          }
        : charge,
    )
  }
  return [...merged.values()]
}
