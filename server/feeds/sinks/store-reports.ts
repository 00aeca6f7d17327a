import { regionScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { escapeField } from '#server/stores/row-text.ts'
import type { ReportRow } from '../mds/read-reports.ts'
import type { SinkFeed } from './sink-feed.ts'

const columns = [
  'region_id',
  'operator',
  'start_date',
  'special_group_type',
  'geography_id',
  'vehicle_type',
  'trip_count',
  'rider_count',
  'feed_id',
  'version',
] as const

/** Stores the rows of MDS reports and counts them. Of rows with the same key the last received one counts. */
export const storeReports =
  (facts: Facts) =>
  async (
    { organizationId, regionId, feedId }: Pick<SinkFeed, 'organizationId' | 'regionId' | 'feedId'>,
    content: unknown,
    received: number,
  ): Promise<number> => {
    const rows = content as readonly ReportRow[]
    const lines = rows.map(
      (row) =>
        `${regionId}\t${row.operator}\t${row.startDate}\t${row.group}\t` +
        `${escapeField(row.geographyId)}\t${row.vehicleType}\t${row.tripCount}\t` +
        `${row.riderCount}\t${feedId}\t${Math.trunc(received)}\n`,
    )
    if (lines.length)
      await facts.insert(regionScope(organizationId, regionId), 'operator_reports', {
        columns,
        regionId,
        lines: Buffer.from(lines.join('')),
      })
    return rows.length
  }
