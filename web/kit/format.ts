import i18next from 'i18next'
import { distanceUnit, toDistanceUnit } from '#contract/units.ts'

/** A number that may be missing, which is formatted as "n/a". */
export type MaybeNumber = number | null | undefined

const getLocale = (): string => i18next.language ?? 'en-US'
/** Whether a number is absent or cannot be computed. */
export const isMissing = (value: MaybeNumber): value is null | undefined =>
  value === null || value === undefined || Number.isNaN(value)
/** Returns the text of a missing value. */
export const formatMissing = (): string => i18next.t('kit:notAvailable')

const plainFormats = new Map<string, Intl.NumberFormat>()

/** Returns a formatter of plain numbers. Cached, because creating one takes far longer than formatting. */
function getPlainFormat(digits: number): Intl.NumberFormat {
  const key = `${getLocale()} ${digits}`
  let format = plainFormats.get(key)
  if (!format) {
    // Without the sign of values that round to zero.
    format = new Intl.NumberFormat(getLocale(), { maximumFractionDigits: digits, signDisplay: 'negative' })
    plainFormats.set(key, format)
  }
  return format
}

/** Formats a number. Values between 0 and 0.1 are shown as 0.1, so that small values never look like zero. */
export function formatNumber(value: MaybeNumber, digits = 1): string {
  if (isMissing(value)) return formatMissing()
  const displayed = value > 0 && value < 0.1 ? 0.1 : value
  return getPlainFormat(digits).format(displayed)
}

/** Formats a number with enough decimals to show it; small values are not raised to 0.1. */
export const formatExact = (value: number, digits: number): string => getPlainFormat(digits).format(value)

/** Formats a number without decimals. */
export const formatInteger = (value: MaybeNumber): string => formatNumber(value, 0)

/** Formats meters in kilometers or miles. */
export function formatDistance(meters: MaybeNumber, isMetric: boolean): string {
  if (isMissing(meters)) return formatMissing()
  return `${formatNumber(toDistanceUnit(meters, isMetric))} ${distanceUnit(isMetric)}`
}

const metersPerFoot = 0.3048
const feetPerTenthMile = 528

/** Formats a short distance: in feet below 0.1 mi, in meters below 1 km, rounded to ten. */
export function formatNearDistance(meters: MaybeNumber, isMetric: boolean): string {
  if (isMissing(meters)) return formatMissing()
  const distance = isMetric ? meters : meters / metersPerFoot
  if (distance >= (isMetric ? 1000 : feetPerTenthMile)) return formatDistance(meters, isMetric)
  return `${formatInteger(Math.round(distance / 10) * 10)} ${isMetric ? 'm' : 'ft'}`
}

/** Converts a buffer from whole meters to meters or feet, rounded to five feet: 30 m are 98.4 ft. */
export const toMarginUnit = (meters: number, isMetric: boolean): number =>
  isMetric ? meters : Math.round(meters / metersPerFoot / 5) * 5
/** Converts a buffer in meters or feet to meters. */
export const toMarginMeters = (margin: number, isMetric: boolean): number =>
  isMetric ? margin : Math.round(margin * metersPerFoot)

/** Formats a share (1 is 100 %); small shares have one decimal. */
export const formatPercent = (share: MaybeNumber): string =>
  isMissing(share)
    ? formatMissing()
    : new Intl.NumberFormat(getLocale(), {
        style: 'percent',
        maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0,
      }).format(share)

/** Formats the change from an earlier value in percent, with its sign; "n/a" if the earlier value is zero. */
export const formatPercentChange = (value: MaybeNumber, earlier: MaybeNumber): string =>
  isMissing(value) || isMissing(earlier) || (earlier === 0 && value !== 0)
    ? formatMissing()
    : new Intl.NumberFormat(getLocale(), {
        style: 'percent',
        maximumFractionDigits: 1,
        signDisplay: 'exceptZero',
      }).format(earlier === 0 ? 0 : (value - earlier) / Math.abs(earlier))

/** Formats a date and time, by default in the time zone of the browser. */
export function formatDateTime(iso: string | null | undefined, timezone?: string): string {
  if (!iso) return formatMissing()
  return new Intl.DateTimeFormat(getLocale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timezone ? { timeZone: timezone } : {}),
  }).format(new Date(iso))
}

/** Formats a moment (ms since 1970) to the second, with the abbreviation of the time zone. */
export const formatExactTime = (moment: number, timezone: string): string =>
  new Intl.DateTimeFormat(getLocale(), {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZone: timezone,
    timeZoneName: 'short',
  }).format(moment)

/** Formats a moment (ms since 1970): the time, with the date unless it is today, and the year unless this year. */
export function formatMoment(moment: number, timezone: string, now: number): string {
  const formatIsoDay = (time: number): string =>
    new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(time)
  const day = formatIsoDay(moment)
  const today = formatIsoDay(now)
  return new Intl.DateTimeFormat(getLocale(), {
    timeZone: timezone,
    hour: 'numeric',
    minute: '2-digit',
    ...(day === today ? {} : { month: 'short', day: 'numeric' }),
    ...(day.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' }),
  }).format(moment)
}

/** Formats a time zone: "Eastern Time (America/New_York)". */
export function formatTimezone(timezone: string): string {
  const zoneFormat = new Intl.DateTimeFormat(getLocale(), { timeZone: timezone, timeZoneName: 'longGeneric' })
  const name = zoneFormat.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? timezone
  return name === timezone || timezone === 'UTC' ? timezone : `${name} (${timezone})`
}

/** Formats a size in bytes, kilobytes, megabytes or gigabytes. */
export function formatBytes(bytes: MaybeNumber): string {
  if (isMissing(bytes)) return formatMissing()
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(getLocale(), {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step)
}

/** ISO 4217 code of the currency of texts without one. */
export const defaultCurrency = 'USD'

/** Returns the number of decimals of a currency: US dollars 2, yen 0. */
export const getCurrencyDecimals = (currency: string): number =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** Formats an amount in a currency, given by its ISO 4217 code: `$1,204.50`. */
export function formatMoney(
  amount: MaybeNumber,
  currency: string = defaultCurrency,
  language: string = i18next.language ?? 'en-US',
  decimals: number = getCurrencyDecimals(currency),
): string {
  return isMissing(amount)
    ? formatMissing()
    : new Intl.NumberFormat(language, {
        style: 'currency',
        currency,
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      }).format(amount)
}

/** Minimum and maximum number of decimals. */
export interface Decimals {
  minimum: number
  maximum: number
}

/**
 * Formats a number with a range of decimals.
 * @throws RangeError for negative or reversed decimals
 */
export function formatDecimal(
  value: number,
  { minimum, maximum }: Decimals,
  language: string = i18next.language ?? 'en-US',
  isGrouped = true,
): string {
  if (minimum < 0 || maximum < 0) throw new RangeError('Decimals must not be negative')
  if (minimum > maximum) throw new RangeError('The minimum of decimals must not be above the maximum')
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: minimum,
    maximumFractionDigits: maximum,
    useGrouping: isGrouped,
  }).format(value)
}

/** Formats a length in the region's units; short ones in whole meters or feet. */
export function formatLength(meters: number, isMetric: boolean): string {
  if (isMetric) return meters < 1000 ? `${formatNumber(meters, 0)} m` : formatDistance(meters, true)
  const feet = meters / metersPerFoot
  return feet < 1000 ? `${formatNumber(feet, 0)} ft` : formatDistance(meters, false)
}
