import i18next from 'i18next'

export interface Decimals {
  minimum: number
  maximum: number
}

/**
 * Formats a number with a fixed range of decimals in a language. Throws a RangeError for negative decimals,
 * or a minimum above the maximum.
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
