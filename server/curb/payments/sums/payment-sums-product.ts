import { paymentBases } from '#contract/curb-payments.ts'
import type { DerivedProduct } from '#server/derived/derived-product.ts'
import { groupSuccessiveDays } from '#server/fleet/reports/report-days.ts'
import type { Facts } from '#server/stores/facts.ts'
import {
  monthColumns,
  monthRows,
  type SumDays,
  sumColumns,
  sumRows,
  sumTables,
  monthDeletionRows,
  sumDeletionRows,
} from './queries.ts'

/** Sums of payments, a derived product. Its spans are local days. */
export const paymentSums = 'curb_payment_sums'

/** Number of days that one statement derives. */
const maxDaysAtOnce = 31
const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 }, areDistinct: true }

/** Creates the product of sums of payments. It reads `curb_payments` and writes `sumTables` and months. */
export function createPaymentSumsProduct({
  facts,
  nextVersion,
}: {
  facts: Facts
  nextVersion: () => bigint
}): DerivedProduct {
  return {
    name: paymentSums,
    description: 'Sums of payments by day: to curb_payment_hours and curb_payment_places',
    settleMs: 1500,
    maxSpans: 10 * maxDaysAtOnce,
    pauseFactor: 1,
    async derive({ regionId, scope }, days) {
      for (const successiveDays of groupSuccessiveDays(days, maxDaysAtOnce)) {
        const sumDays: SumDays = { regionId, first: successiveDays[0]!, last: successiveDays.at(-1)! }
        const version = nextVersion()
        for (const table of sumTables) {
          const columns = sumColumns(table)
          for (const basis of paymentBases)
            await facts.add(scope, table.table, {
              columns,
              rows: sumRows(table, basis, sumDays, version),
              ...queryOptions,
            })
          await facts.add(scope, table.table, {
            columns,
            rows: sumDeletionRows(table, sumDays, version),
            ...queryOptions,
          })
        }
        const months = 'curb_payment_place_months'
        await facts.add(scope, months, {
          columns: monthColumns,
          rows: monthRows(sumDays, version),
          ...queryOptions,
        })
        await facts.add(scope, months, {
          columns: monthColumns,
          rows: monthDeletionRows(sumDays, version),
          ...queryOptions,
        })
      }
    },
  }
}
