import i18next from 'i18next'
import { missing, none, type Maybe } from './format.ts'

export const usualCurrency = 'USD'

/** How many decimals a currency has: US dollars 2, yen 0. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** An amount by its currency's ISO code: `$1,204.50`. */
export function formatMoney(
  amount: Maybe,
  currency: string = usualCurrency,
  language: string = i18next.language ?? 'en-US',
): string {
  return missing(amount)
    ? none()
    : new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)
}
