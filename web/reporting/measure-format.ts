import type { TFunction } from 'i18next'
import { type MeasureKey, type MetricDimension, measures as measureDeclarations } from '#contract/metrics.ts'
import type { Operator } from '#contract/operators.ts'
import { distanceUnit, toDistanceUnit } from '#contract/units.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { formatInteger, formatNumber, formatPercent, isMissing } from '#web/kit/format.ts'
import type { ReportContext } from './report-search.ts'

type Unit = (typeof measureDeclarations)[MeasureKey]['unit']

/** For measures that are shown in the unit of the API. */
const unscaled = (value: number): number => value

/** Returns the format of a measure in a region; `scale` converts the API's unit to the displayed one. */
export function measureFormat(
  key: MeasureKey,
  isMetric: boolean,
  t: TFunction,
): { unit: string; scale: (value: number) => number; format: (value: number) => string } {
  const formats: Record<Unit, ReturnType<typeof measureFormat>> = {
    trips: { unit: '', scale: unscaled, format: formatInteger },
    events: { unit: '', scale: unscaled, format: formatInteger },
    vehicles: { unit: '', scale: unscaled, format: formatNumber },
    trips_per_vehicle: { unit: '', scale: unscaled, format: (value) => formatNumber(value, 2) },
    share: { unit: '', scale: unscaled, format: formatPercent },
    meters: {
      unit: distanceUnit(isMetric),
      scale: (value) => toDistanceUnit(value, isMetric),
      format: (value) => formatNumber(value, 2),
    },
    seconds: { unit: t('reporting:unit.minutes'), scale: (value) => value / 60, format: formatNumber },
    meters_per_second: {
      unit: t(`reporting:unit.${isMetric ? 'kmh' : 'mph'}`),
      scale: (value) => toDistanceUnit(value * 3600, isMetric),
      format: formatNumber,
    },
    vehicle_seconds: {
      unit: t('reporting:unit.hours'),
      scale: (value) => value / 3600,
      format: formatInteger,
    },
  }
  const format = formats[measureDeclarations[key].unit]
  // Parked times and total durations are shown in hours instead of minutes.
  if (key === 'parked_mean' || key === 'parked_median')
    return { ...formats.vehicle_seconds, format: formatNumber }
  if (key === 'duration_total') return formats.vehicle_seconds
  // Total distances are large: no decimals.
  return key === 'distance_total' ? { ...format, format: formatInteger } : format
}

/** Formats a value with its unit, for a table cell. */
export function formatMeasure(
  key: MeasureKey,
  value: number | null,
  isMetric: boolean,
  t: TFunction,
): string {
  const { unit, scale, format } = measureFormat(key, isMetric, t)
  return isMissing(value) ? t('kit:notAvailable') : `${format(scale(value))}${unit ? ` ${unit}` : ''}`
}

/** Returns the name of an operator, or its slug if it is unknown. */
export const operatorName = (operators: readonly Operator[] | undefined, slug: string): string =>
  operators?.find((operator) => operator.slug === slug)?.name ?? slug

/** Returns the color of an operator; undefined if it has none. */
export const operatorColor = ({ operators }: ReportContext, slug: string): string | undefined =>
  operators?.find((operator) => operator.slug === slug)?.colorHex

/** Formats a value of a dimension as in `rows[].keys`. */
export function formatKey(
  { operators, language }: ReportContext,
  dimension: MetricDimension,
  key: string,
  t: TFunction,
): string {
  const formatDate = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(Date.parse(key))
  switch (dimension) {
    case 'operator':
      return operatorName(operators, key)
    case 'vehicle_type':
      return vehicleTypeName(key)
    case 'propulsion_type':
      return key === '' ? t('reporting:propulsion.unknown') : key.split('+').join(' + ')
    case 'day':
      return formatDate({ month: 'short', day: 'numeric', year: 'numeric' })
    case 'week':
      return t('reporting:grain.weekOf', {
        day: formatDate({ month: 'short', day: 'numeric', year: 'numeric' }),
      })
    case 'month':
      return formatDate({ month: 'long', year: 'numeric' })
    default:
      return key
  }
}
