import { startOfDay } from '#contract/civil-clock.ts'
import { dayMs, hourMs, type LocalDay } from '#contract/period.ts'
import type { RetentionCategory } from '#contract/retention.ts'
import { oldPaymentRows, oldSessionRows } from '#server/curb/old-rows.ts'
import { paymentSessions } from '#server/curb/payments/stitch/payment-sessions-product.ts'
import { paymentSums } from '#server/curb/payments/sums/payment-sums-product.ts'
import { curbHours, curbOccupancy, curbSessions } from '#server/curb/product-names.ts'
import { toHourSpan, shapeSums } from '#server/fleet/cubes/dirty-hours.ts'
import { factHours, feeDays } from '#server/fleet/fact-changes.ts'
import { fleet } from '#server/fleet/events/open-fleet-ingest.ts'
import { oldFleetRows, oldTelemetryRows, oldTripRows } from '#server/fleet/old-rows.ts'
import { reportDays } from '#server/fleet/reports/report-days.ts'
import { rideSpeeds } from '#server/fleet/ride-days.ts'
import { routeVolumes } from '#server/routes/volumes/route-volumes-product.ts'
import { findFirstOpenDay, type RemovedBefore } from '#server/regions/fact-limits.ts'
import type { OldRows } from '#server/regions/old-rows.ts'

/** Old rows of the fact store, by category. */
export const oldRows: Partial<Record<RetentionCategory, readonly OldRows[]>> = {
  trips: oldTripRows,
  events: oldFleetRows,
  telemetry: oldTelemetryRows,
  sessions: oldSessionRows,
  payments: oldPaymentRows,
}

/** Derived products by category: those with sums of its rows, and those that store rows of it. */
export const productsByCategory: Partial<
  Record<RetentionCategory, { sumProducts: readonly string[]; rowProducts: readonly string[] }>
> = {
  trips: { sumProducts: [shapeSums, reportDays, feeDays, routeVolumes], rowProducts: [fleet] },
  events: { sumProducts: [shapeSums, reportDays, feeDays], rowProducts: [fleet] },
  telemetry: { sumProducts: [routeVolumes, rideSpeeds], rowProducts: [fleet] },
  sessions: { sumProducts: [curbHours, curbOccupancy], rowProducts: [curbSessions, paymentSessions] },
  plates: { sumProducts: [curbHours, curbOccupancy], rowProducts: [curbSessions, paymentSessions] },
  payments: { sumProducts: [paymentSums], rowProducts: [curbSessions, paymentSessions] },
}

/** Returns the first span of each product that may be derived, from the days before which rows are gone. */
export function toSeals(removed: RemovedBefore, timezone: string): Record<string, string> {
  const seals: Record<string, string> = {}
  const addSeal = (
    product: string,
    categories: readonly RetentionCategory[],
    toSpan: (day: LocalDay) => string = (day) => day,
  ): void => {
    const day = findFirstOpenDay(removed, categories)
    if (day !== null) seals[product] = toSpan(day)
  }
  /** Returns the first UTC day that starts at or after the start of a local day. */
  const toUtcSpan = (day: LocalDay): string =>
    new Date(Math.ceil(startOfDay(day, timezone) / dayMs) * dayMs).toISOString().slice(0, 10)
  addSeal(shapeSums, ['trips', 'events'], (day) => toHourSpan(startOfDay(day, timezone)))
  addSeal(reportDays, ['trips', 'events'])
  addSeal(feeDays, ['trips', 'events'])
  addSeal(factHours, ['trips', 'events', 'telemetry'], (day) =>
    new Date(Math.ceil(startOfDay(day, timezone) / hourMs) * hourMs).toISOString().slice(0, 13),
  )
  addSeal(routeVolumes, ['trips', 'telemetry'])
  addSeal(rideSpeeds, ['telemetry'], toUtcSpan)
  addSeal(curbHours, ['sessions', 'plates'])
  addSeal(curbOccupancy, ['sessions', 'plates'])
  addSeal(paymentSums, ['payments'])
  return seals
}
