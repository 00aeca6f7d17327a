import type { TaxRate } from '#contract/billing-settings.ts'
import type { InvoiceTax } from '#contract/invoices.ts'
import { currencyDigits } from '#contract/money.ts'
import { formatMinor, Rational } from '../rational.ts'

/** An amount in minor units and its tax rate. */
export interface TaxedAmount {
  amount: bigint
  tax_code: string | null
}

/** The totals of an invoice; amounts are in minor units. */
export interface InvoiceTotals {
  taxes: InvoiceTax[]
  net: bigint
  tax: bigint
  total: bigint
}

/** Converts a decimal string to minor units of a currency; null if it has more decimals than the currency. */
export function toMinorUnits(text: string, currency: string): bigint | null {
  const digits = currencyDigits(currency)
  const exact = Rational.of(text)
  const minor = exact.rounded(digits)
  return exact.compare(Rational.of(formatMinor(minor, digits))) === 0 ? minor : null
}

/** Formats minor units as a decimal string of a currency. */
export const formatAmount = (minor: bigint, currency: string): string =>
  formatMinor(minor, currencyDigits(currency))

const thousandsPattern = /\B(?=(\d{3})+$)/g

/** Adds thousands separators to a decimal string. */
export function groupDigits(text: string): string {
  const [integer = '', fraction] = text.split('.')
  const grouped = integer.replace(thousandsPattern, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Sums amounts in minor units. */
export const sumMinor = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((sum, amount) => sum + amount, 0n)

const sumTaxCode = (lines: readonly TaxedAmount[], code: string | null): bigint =>
  sumMinor(lines.filter((line) => line.tax_code === code).map(({ amount }) => amount))

/** Computes the tax on the sum of all lines of one rate, rounded once, halves away from 0. */
function computeTax(sum: bigint, { rate, is_inclusive: isInclusive }: TaxRate): bigint {
  const percent = Rational.of(rate)
  const hundred = new Rational(100n)
  return new Rational(sum)
    .times(percent)
    .over(isInclusive ? hundred.plus(percent) : hundred)
    .rounded(0)
}

/** Returns totals of lines, with the tax of each rate. @param computeTaxOfRate Takes the sum of its lines. */
function sumTotals(
  lines: readonly TaxedAmount[],
  rates: readonly TaxRate[],
  currency: string,
  computeTaxOfRate: (sum: bigint, rate: TaxRate) => bigint,
): InvoiceTotals {
  let net = sumTaxCode(lines, null)
  let tax = 0n
  const taxes = rates
    .filter(({ code }) => lines.some((line) => line.tax_code === code))
    .map((rate): InvoiceTax => {
      const { code, name, is_inclusive, exemption_text } = rate
      const sum = sumTaxCode(lines, code)
      const amount = computeTaxOfRate(sum, rate)
      const netOfRate = is_inclusive ? sum - amount : sum
      net += netOfRate
      tax += amount
      return {
        code,
        name,
        rate: rate.rate,
        is_inclusive,
        exemption_text,
        net: formatAmount(netOfRate, currency),
        tax: formatAmount(amount, currency),
      }
    })
  return { taxes, net, tax, total: net + tax }
}

export const computeTotals = (
  lines: readonly TaxedAmount[],
  rates: readonly TaxRate[],
  currency: string,
): InvoiceTotals => sumTotals(lines, rates, currency, computeTax)

/** An invoice with its issued credit notes. */
export interface CreditedInvoice {
  lines: readonly TaxedAmount[]
  taxes: readonly InvoiceTax[]
  creditNotes: readonly { lines: readonly TaxedAmount[]; taxes: readonly InvoiceTax[] }[]
}

/**
 * Computes taxes and totals of a credit note at the rates of its invoice. The credit that exhausts a rate
 * takes all that is left of its tax, so that rounding of several credits never adds up to more or less than
 * the tax of the invoice.
 */
export function computeCreditTotals(
  lines: readonly TaxedAmount[],
  { lines: invoicedLines, taxes, creditNotes }: CreditedInvoice,
  currency: string,
): InvoiceTotals {
  const getTaxLeft = (code: string): bigint =>
    sumMinor(
      [taxes, ...creditNotes.map((note) => note.taxes)].flatMap((documentTaxes) =>
        documentTaxes.filter((tax) => tax.code === code).map(({ tax }) => toMinorUnits(tax, currency) ?? 0n),
      ),
    )
  return sumTotals(lines, taxes, currency, (sum, rate) => {
    const allLines = [...invoicedLines, ...creditNotes.flatMap((note) => note.lines)]
    const sumBefore = sumTaxCode(allLines, rate.code)
    const largestCredit = -getTaxLeft(rate.code)
    const isExhausted = sumBefore + sum === 0n
    if (isExhausted) return largestCredit
    const rounded = computeTax(sum, rate)
    const exceedsTaxLeft = largestCredit <= 0n ? rounded < largestCredit : rounded > largestCredit
    return exceedsTaxLeft ? largestCredit : rounded
  })
}
