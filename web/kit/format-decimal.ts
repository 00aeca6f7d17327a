import i18next from 'i18next'

export interface Decimals {
  minimum: number
  maximum: number
}

/** A number with so many decimals, in the language's writing. Fewer than none, or a minimum above the maximum, is a mistake of the caller: a RangeError. */
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
