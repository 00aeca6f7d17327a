/** The largest amount, price or quantity of policies, charges and tariffs. */
export const maxAmount = 1_000_000_000
/** Decimals that the tariff engine computes exactly. */
export const maxAmountDecimals = 6

/** Returns whether an amount has more decimals than are computed exactly. */
export const hasTooManyDecimals = (amount: number): boolean =>
  Number(amount.toFixed(maxAmountDecimals)) !== amount

/** Returns the number of decimal digits of a currency: 2 for USD, 0 for JPY, 3 for KWD. */
export const currencyDigits = (currency: string): number =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** Converts major to minor units (cents). Rounds the decimal text: 1.005 has no exact binary form. */
export const toMinor = (amount: number, currency: string): number =>
  Math.round(Number((amount * 10 ** currencyDigits(currency)).toPrecision(15)))

/** Converts integer minor units to major units. */
export const toMajor = (minor: number, currency: string): number => minor / 10 ** currencyDigits(currency)

/** Tests whether an amount can be paid: finite, not negative, no more digits than the currency has. */
export const isAmount = (amount: number, currency: string): boolean =>
  Number.isFinite(amount) && amount >= 0 && toMajor(toMinor(amount, currency), currency) === amount
