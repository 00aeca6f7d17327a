import { Button } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { FeedStatus, HealthRow } from '#contract/health.ts'
import type { HealthFigureName } from '#contract/health-figures.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'

interface RowContext {
  t: TFunction
  figure: HealthFigureName
  timezone: string
  feeds: readonly FeedStatus[]
  onRecord: (row: HealthRow) => void
}

// Figures with rows that have a value, a vehicle, a trip, a feed or a raw record.
const figuresWithValue: readonly HealthFigureName[] = [
  'freshness',
  'volume',
  'silent_vehicles',
  'impossible_speeds',
  'late_arrival',
  'duplicates',
  'clock_skew',
]
const figuresOfVehicles: readonly HealthFigureName[] = [
  'illegal_transitions',
  'orphan_trips',
  'silent_vehicles',
  'impossible_speeds',
  'clock_skew',
  'late_arrival',
  'agreement',
]
const figuresOfTrips: readonly HealthFigureName[] = ['orphan_trips', 'agreement', 'impossible_speeds']
const figuresOfFeeds: readonly HealthFigureName[] = [
  'illegal_transitions',
  'schema_violations',
  'clock_skew',
  'late_arrival',
  'duplicates',
  'impossible_speeds',
]
const figuresWithRecord: readonly HealthFigureName[] = ['schema_violations', 'clock_skew']

/** Returns the columns of the rows behind a figure: only those that its rows have. */
export function getRowColumns({
  t,
  figure,
  timezone,
  feeds,
  onRecord,
}: RowContext): TableColumn<HealthRow>[] {
  const createTextColumn = (
    key: string,
    title: string,
    value: (row: HealthRow) => string | null,
    options: { width: number; isHidden?: boolean },
  ): TableColumn<HealthRow> => column(key, title, value, options)
  return [
    column('time', t('health:rows.time'), (row) => row.time, {
      renderCell: (row) => formatDateTime(row.time, timezone),
      width: 205,
    }),
    createTextColumn('part', t('health:rows.what'), (row) => t(`health:partName.${row.part}`), {
      width: 150,
    }),
    ...(figuresOfVehicles.includes(figure)
      ? [
          createTextColumn('vehicle', t('health:rows.vehicle'), (row) => row.vehicle_id ?? row.device_id, {
            width: 130,
          }),
        ]
      : []),
    column('reason', t('health:rows.reason'), (row) => row.reason, {
      renderCell: (row) => <span title={row.reason}>{row.reason}</span>,
    }),
    ...(figuresWithValue.includes(figure)
      ? [
          column('value', t('health:rows.value'), (row: HealthRow) => row.value, {
            isNumber: true,
            width: 100,
          }),
        ]
      : []),
    createTextColumn('id', t('health:rows.id'), (row) => row.id, { width: 150 }),
    ...(figuresOfTrips.includes(figure)
      ? [
          createTextColumn('trip', t('health:rows.trip'), (row) => row.trip_id, {
            width: 150,
            isHidden: true,
          }),
        ]
      : []),
    ...(figuresOfFeeds.includes(figure)
      ? [
          createTextColumn(
            'feed',
            t('health:rows.feed'),
            (row) => feeds.find(({ feed_id }) => feed_id === row.feed_id)?.name ?? row.feed_id,
            { width: 150, isHidden: true },
          ),
        ]
      : []),
    ...(figuresWithRecord.includes(figure)
      ? [
          column('record', t('health:rows.record'), () => null, {
            isActions: true,
            width: 100,
            renderCell: (row: HealthRow) =>
              row.raw === null ? null : (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-label={t('health:rows.show', { id: row.id })}
                  onClick={() => onRecord(row)}
                >
                  {t('health:rows.record')}
                </Button>
              ),
          }),
        ]
      : []),
  ]
}
