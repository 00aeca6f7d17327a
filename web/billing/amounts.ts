import i18next from 'i18next'
import { getCurrencyDecimals, formatBytes, formatDecimal, formatMoney } from '#web/kit/format.ts'

/** Formats an exact amount of the API. */
export const formatAmount = (amount: string, currency: string): string =>
  formatMoney(Number(amount), currency)

/** Maximum number of decimals of prices and small quantities, as on the PDF. */
const maxDigits = 9

/** Formats a price, which may have more decimals than its currency: `$0.0625`. */
export const formatPrice = (price: string, currency: string): string =>
  new Intl.NumberFormat(i18next.language ?? 'en-US', {
    style: 'currency',
    currency,
    maximumFractionDigits: Math.max(getCurrencyDecimals(currency), maxDigits),
    minimumFractionDigits: getCurrencyDecimals(currency),
  }).format(Number(price))

/** Formats a quantity: two decimals from ten on, as nobody reads more. Files and the API have all of them. */
export const formatQuantity = (quantity: string): string => {
  const value = Number(quantity)
  return formatDecimal(value, { minimum: 0, maximum: Math.abs(value) < 10 ? maxDigits : 2 })
}

/** Returns a typed amount in the format of the API: all decimals of the currency, never an exponent. */
export const toApiAmount = (typed: number, currency: string): string =>
  typed.toFixed(getCurrencyDecimals(currency))

/** Formats a file size limit as the server states it: 5 MB is 5 × 1024 × 1024 bytes. */
export const formatFileLimit = (bytes: number): string =>
  formatBytes(bytes < 1024 ** 2 ? (bytes / 1024) * 1000 : (bytes / 1024 ** 2) * 1000 ** 2)
