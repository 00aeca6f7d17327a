import { paymentBases } from '#contract/curb-payments.ts'
import type { LocalDay } from '#contract/period.ts'
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
  monthDeletions,
  sumDeletions,
} from './queries.ts'

/** Sums of payments, a derived product. Its spans are local days. */
export const paymentSums = 'curb_payment_sums'

/** Number of days that one statement derives. */
const maxDaysAtOnce = 31
const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 }, areDistinct: true }

/**
 * Reads `curb_payments`, writes `curb_payment_hours`, `curb_payment_places` and `curb_payment_place_months`.
 */
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
      for (const run of groupSuccessiveDays(days, maxDaysAtOnce)) {
        const [first, last] = [run[0], run.at(-1)] as [LocalDay, LocalDay]
        const sumDays: SumDays = { regionId, first, last }
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
            rows: sumDeletions(table, sumDays, version),
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
          rows: monthDeletions(sumDays, version),
          ...queryOptions,
        })
      }
    },
  }
}
