import type { LocalDay } from '#contract/period.ts'
import { Rational, zero } from './rational.ts'
import type { TariffPart } from './tariff.ts'

/** A parking event. Times in ms since 1970. */
export interface ChargedParking {
  /** Empty: unknown. */
  vehicleId: string
  vehicleType: string
  from: number
  to: number
}
/** Which vehicles of a fleet count. */
export interface TypeFilter {
  vehicle_types: readonly string[]
  exempt_vehicle_types: readonly string[]
}
/** Ms, half open. */
export interface Span {
  from: number
  until: number
}
type PartOf<Kind> = Extract<TariffPart, { kind: Kind }>
export type ParkingPart = PartOf<'parking'>
export type TripPart = PartOf<'trips'>
export type VehiclePart = PartOf<'vehicles'>
export type RatePart = PartOf<'rates'>

/** The facts of one payer, as the parts of a tariff ask for them. */
export interface ChargedFacts {
  /** The number of trips that a part charges and that start in a span, by vehicle type. */
  trips: (part: TripPart, span: Span) => ReadonlyMap<string, number>
  /** The number of those trips that have the discount of the part. */
  discountedTrips: (part: TripPart, span: Span) => number
  /** Charges of the fleets of local days. */
  vehicles: (part: VehiclePart, days: readonly LocalDay[]) => Charge[]
  /** Charges of the parking events that begin in a span, each whole. */
  parking: (part: ParkingPart, span: Span) => Charge[]
  /** How often rates apply, by key and vehicle type. */
  rates: (part: RatePart) => readonly RateCount[]
  /** Reported quantities by name. */
  quantities: Readonly<Record<string, Rational>>
}

/** How often a rate applies to vehicles of a type. */
export interface RateCount {
  key: string
  vehicleType: string
  quantity: Rational
}

export interface ChargeContext {
  timezone: string
  currency: string
  /** Local days, both included. */
  period: { start_date: LocalDay; end_date: LocalDay }
}

/** A quantity at a price. `exact` is their product, for credits below 0. */
export interface Charge {
  description: string
  quantity: Rational
  unit: string
  unitPrice: Rational | null
  exact: Rational
}

export const isOfType = (
  { vehicle_types: some, exempt_vehicle_types: exempt }: TypeFilter,
  type: string,
): boolean => (!some.length || some.includes(type)) && !exempt.includes(type)
export const isInAreas = (requested: readonly string[], areas: readonly string[]): boolean =>
  !requested.length || requested.some((area) => areas.includes(area))

/** Whether a fact in some areas has the discount of a part. */
export const isDiscounted = ({ discount }: Pick<TripPart, 'discount'>, areas: readonly string[]): boolean =>
  discount !== null && discount.areas.some((area) => areas.includes(area))

/** The share of a price that a discount takes off, below 0; 0 without a discount. */
export const discountShare = ({ discount }: Pick<TripPart, 'discount'>): Rational =>
  discount ? zero.minus(discount.percent.over(Rational.of(100))) : zero
/** What the line of a discount says. */
export const discountText = ({ name, discount }: Pick<TripPart, 'name' | 'discount'>): string =>
  `${name}: ${discount?.percent.text() ?? 0} % less in discounted areas`

/** Charges of the same text, unit and price as one, in the order of the first. */
export function mergeCharges(charges: readonly Charge[]): Charge[] {
  const merged = new Map<string, Charge>()
  for (const charge of charges) {
    const key = [charge.description, charge.unit, charge.unitPrice?.text(12) ?? ''].join('\t')
    const before = merged.get(key)
    merged.set(
      key,
      before
        ? {
            ...before,
            quantity: before.quantity.plus(charge.quantity),
            exact: before.exact.plus(charge.exact),
          }
        : charge,
    )
  }
  return [...merged.values()]
}
