import type { CdsRate } from '#contract/cds.ts'
import { isRecord, toNumber } from '../checks/values.ts'
import type { Findings } from '../curb-format.ts'

/**
 * Converts rates of CurbLR. They are pairs of a duration in minutes and a fee for any part of it; the last
 * pair repeats. Rates with time spans of their own, and fees that are not whole minor units per hour or
 * minute, are set aside.
 */
export function readCurblrRates(payment: unknown, findings: Findings, path: string): CdsRate[] {
  const raw = isRecord(payment) ? payment['rates'] : undefined
  const rates = (Array.isArray(raw) ? (raw as unknown[]) : []).filter(
    (fee) => isRecord(fee) && Object.keys(fee).length > 0,
  )
  if (!rates.length) return []
  const [rate] = rates
  const setAside = (message: string): CdsRate[] => {
    findings.repair('rate_set_aside', `The rates were set aside: ${message}`, `${path}.rates`)
    return []
  }
  if (rates.length > 1) return setAside('several rates that depend on the time of day.')
  if (!isRecord(rate)) return []
  if (
    Array.isArray(rate['timeSpans']) &&
    rate['timeSpans'].some((span) => isRecord(span) && Object.keys(span).length)
  )
    return setAside('they have times of their own.')
  const fees = toNumbers(rate['fees'])
  const durations = toNumbers(rate['durations'])
  if (!fees?.length || fees.length !== durations?.length)
    return setAside('fees and durations are not lists of the same length.')
  if (
    fees.some((fee) => fee < 0) ||
    durations.some((duration) => duration <= 0 || !Number.isInteger(duration))
  )
    return setAside('a fee or duration is not valid.')
  return toSteps(fees, durations) ?? setAside('a fee is no whole number of minor units per hour or minute.')
}

const toNumbers = (raw: unknown): number[] | null => {
  const numbers = (Array.isArray(raw) ? (raw as unknown[]) : [raw]).map(toNumber)
  return numbers.every((number) => number !== null) ? numbers : null
}

/** Returns a CDS rate per step of a price table; null if a rate per unit is not a whole number of cents. */
function toSteps(fees: readonly number[], durations: readonly number[]): CdsRate[] | null {
  // The unit is an hour if all steps are whole hours, or if there is one step. Otherwise it is a minute,
  // because starts and ends of steps must be whole units.
  const isHourly = durations.length === 1 || durations.every((duration) => duration % 60 === 0)
  const unitMinutes = isHourly ? 60 : 1
  const steps: CdsRate[] = []
  let start = 0
  for (const [index, fee] of fees.entries()) {
    const duration = durations[index] as number
    // Fees are in major units.
    const perUnit = (fee * 100 * unitMinutes) / duration
    const rate = Math.round(perUnit)
    if (Math.abs(rate - perUnit) > 1e-6) return null
    const length = duration / unitMinutes
    const isLast = index === fees.length - 1
    steps.push({
      rate,
      rate_unit: isHourly ? 'hour' : 'minute',
      // Any part of a duration costs the full fee.
      ...(Number.isInteger(length) ? { increment_duration: length } : {}),
      ...(fees.length > 1 ? { start_duration: start } : {}),
      ...(isLast ? {} : { end_duration: start + length }),
    })
    start += length
  }
  return steps
}
