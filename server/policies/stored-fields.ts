import { toMajor, toMinor } from '#contract/money.ts'
import { FeeOptions, PolicyFields } from '#contract/policy.ts'

/** Converts all amounts of a policy. */
function mapAmounts(fields: PolicyFields, convert: (amount: number) => number): PolicyFields {
  const convertAmount = (value: number | null): number | null => (value === null ? null : convert(value))
  const { prices, prices_by_duration: byDuration, ...fee } = fields.fee_properties
  return {
    ...fields,
    value: convertAmount(fields.value),
    fee_properties: {
      ...fee,
      options: FeeOptions.parse(fee.options ?? {}),
      prices: Object.fromEntries(
        Object.entries(prices).map(([day, bands]) => [
          day,
          bands.map((band) => ({ ...band, price: convertAmount(band.price) })),
        ]),
      ),
      prices_by_duration: byDuration.map((row) => ({ ...row, price: convertAmount(row.price) })),
    },
  }
}

/** Returns the stored form of a policy's fields, with amounts in integer minor units. */
export const toStoredFields = (fields: PolicyFields, currency: string): string =>
  JSON.stringify(mapAmounts(pickFields(fields), (amount) => toMinor(amount, currency)))

/** Parses stored fields and converts amounts to major units. */
export const readFields = (stored: unknown, currency: string): PolicyFields =>
  mapAmounts({ ...PolicyFields.parse({}), ...(stored as PolicyFields) }, (minor) => toMajor(minor, currency))

/** Returns the fields of a policy without other properties, in a fixed order. */
export const pickFields = (policy: PolicyFields): PolicyFields =>
  Object.fromEntries(
    Object.keys(PolicyFields.shape).map((field) => [field, policy[field as keyof PolicyFields]]),
  ) as PolicyFields
