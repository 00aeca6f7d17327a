import { schema as clickhouseSchema } from './clickhouse/001-schema.ts'
import { schema as reportSchema } from './clickhouse/002-reports.ts'
import { schema as exportRowsSchema } from './clickhouse/003-export-rows.ts'
import { schema as stationHistorySchema } from './clickhouse/004-station-history.ts'
import { schema as feesSchema } from './clickhouse/005-fees.ts'
import { schema as curbSessionsSchema } from './clickhouse/006-curb-sessions.ts'
import { schema as curbPaymentsSchema } from './clickhouse/007-curb-payments.ts'
import { schema as curbOccupancySchema } from './clickhouse/008-curb-occupancy.ts'
import { schema as curbPaymentMonthsSchema } from './clickhouse/009-curb-payment-months.ts'
import { schema as curbStayLimitsSchema } from './clickhouse/012-curb-stay-limits.ts'
import {
  dropSchema as dropShapeDaysSchema,
  schema as shapeDaySumsSchema,
} from './clickhouse/016-shape-day-sums.ts'
import {
  dropSchema as dropShapeDaySumsSchema,
  schema as shapeDayHoursSchema,
} from './clickhouse/021-shape-day-hours.ts'
import {
  dropSchema as dropDirtyListsSchema,
  schema as fleetMarksSchema,
} from './clickhouse/025-fleet-marks.ts'
import { schema as quietPaymentsSchema } from './clickhouse/019-quiet-payments.ts'
import { schema as postgresSchema } from './postgres/001-schema.ts'
import { schema as reportsSchema } from './postgres/002-reports-and-public-months.ts'
import { schema as metricsTokensSchema } from './postgres/003-metrics-tokens.ts'
import { schema as reportSchedulesSchema } from './postgres/004-report-schedules.ts'
import { schema as exportsSchema } from './postgres/005-exports.ts'
import { schema as feeDaysSchema } from './postgres/006-fee-days.ts'
import { schema as invoicesSchema } from './postgres/007-invoices.ts'
import { schema as curbSchema } from './postgres/008-curb.ts'
import { schema as curbSessionTablesSchema } from './postgres/009-curb-sessions.ts'
import { schema as curbRegulationsSchema } from './postgres/010-curb-regulations.ts'
import { schema as curbImportsSchema } from './postgres/011-curb-imports.ts'
import { schema as chargesSchema } from './postgres/012-charges.ts'
import { schema as invoiceCountsSchema } from './postgres/013-invoice-counts.ts'
import { schema as curbPaymentTablesSchema } from './postgres/014-curb-payments.ts'
import { schema as occupancyTablesSchema } from './postgres/015-curb-occupancy.ts'
import { schema as curbPricingSchema } from './postgres/016-curb-pricing.ts'
import { schema as curbAccountsSchema } from './postgres/017-curb-accounts.ts'
import { schema as curbEditsSchema } from './postgres/018-curb-edits.ts'
import { schema as apiKeysSchema } from './postgres/019-api-keys.ts'
import { schema as serversSchema } from './postgres/020-servers.ts'
import { schema as retentionSchema } from './postgres/021-retention.ts'
import { schema as curbEditDaysSchema } from './postgres/022-curb-edit-days.ts'
import { schema as reportRestsSchema } from './postgres/023-reports.ts'
import { schema as savedViewsSchema } from './postgres/024-saved-views.ts'
import { schema as plannerCurbSchema } from './postgres/027-planner-curb.ts'
import { schema as namesSchema } from './postgres/029-names.ts'
import { schema as complianceDaysSchema } from './postgres/030-compliance-days.ts'
import { schema as curbDeletesSchema } from './postgres/031-curb-deletes.ts'
import { schema as bulkInsertsSchema } from './postgres/032-bulk-inserts.ts'
import { schema as sentAlertsSchema } from './postgres/033-sent-alerts.ts'
import { schema as regionFactsSchema } from './postgres/035-region-facts.ts'
import { schema as curbFormatsSchema } from './postgres/036-curb-formats.ts'
import { schema as reportFiltersSchema } from './postgres/037-report-filters.ts'

/** In order. Each statement is repeatable, so that an interrupted migration can continue. */
export const clickhouseMigrations: readonly { name: string; statements: readonly string[] }[] = [
  clickhouseSchema,
  reportSchema,
  exportRowsSchema,
  stationHistorySchema,
  feesSchema,
  curbSessionsSchema,
  curbPaymentsSchema,
  curbOccupancySchema,
  curbPaymentMonthsSchema,
  curbStayLimitsSchema,
  shapeDaySumsSchema,
  dropShapeDaysSchema,
  quietPaymentsSchema,
  shapeDayHoursSchema,
  dropShapeDaySumsSchema,
  fleetMarksSchema,
  dropDirtyListsSchema,
]

/** In order. Missing ones run in one transaction at start. */
export const postgresMigrations: readonly { name: string; sql: string }[] = [
  postgresSchema,
  reportsSchema,
  metricsTokensSchema,
  reportSchedulesSchema,
  exportsSchema,
  feeDaysSchema,
  invoicesSchema,
  curbSchema,
  curbSessionTablesSchema,
  curbRegulationsSchema,
  curbImportsSchema,
  chargesSchema,
  invoiceCountsSchema,
  curbPaymentTablesSchema,
  occupancyTablesSchema,
  curbPricingSchema,
  curbAccountsSchema,
  curbEditsSchema,
  apiKeysSchema,
  serversSchema,
  retentionSchema,
  curbEditDaysSchema,
  reportRestsSchema,
  savedViewsSchema,
  plannerCurbSchema,
  namesSchema,
  complianceDaysSchema,
  curbDeletesSchema,
  bulkInsertsSchema,
  sentAlertsSchema,
  regionFactsSchema,
  curbFormatsSchema,
  reportFiltersSchema,
]

/** A store was created by a version before the first release; its migrations no longer exist. */
export class PreReleaseData extends Error {
  override name = 'PreReleaseData'
}

/** Throws PreReleaseData if a store has migrations, but not the first of these. */
export function refusePreRelease(done: readonly string[], migrations: readonly { name: string }[]): void {
  if (!done.length || done.includes(migrations[0]?.name ?? '')) return
  throw new PreReleaseData(
    'This data directory was made by a pre-release version of Publicway and cannot be opened. Start with an empty DATA_DIR, and with empty databases where DATABASE_URL or CLICKHOUSE_URL name servers.',
  )
}
