/** How many digits a currency has behind the point: 2 for USD, 0 for JPY, 3 for KWD. */
export const currencyDigits = (currency: string): number =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** Integer minor units (cents) of an amount in major units. The decimal number is what counts: 1.005 is no binary 1.005. */
export const toMinor = (amount: number, currency: string): number =>
  Math.round(Number((amount * 10 ** currencyDigits(currency)).toPrecision(15)))

/** Major units of integer minor units. */
export const toMajor = (minor: number, currency: string): number => minor / 10 ** currencyDigits(currency)

/** Whether an amount can be paid: not negative, finite, and with no more digits than the currency has. */
export const isAmount = (amount: number, currency: string): boolean =>
  Number.isFinite(amount) && amount >= 0 && toMajor(toMinor(amount, currency), currency) === amount
