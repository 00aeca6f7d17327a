import { Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { ServerWork } from '#contract/server-work.ts'
import { formatDateTime, formatInteger, formatNumber, isMissing, type MaybeNumber } from '#web/kit/format.ts'
import { formatDuration } from '#web/kit/format-duration.ts'
import type { TableColumn } from '#web/kit/table/table-column.ts'

/** A duration; below a second in milliseconds. */
export const formatMs = (t: TFunction, ms: MaybeNumber): string =>
  isMissing(ms)
    ? '–'
    : ms < 1000
      ? t('derived:ms', { shown: formatInteger(ms) })
      : formatDuration(Math.round(ms / 1000))

/** The reason and time of a failure. */
export function Problem({ text, time, zone }: { text: string | null; time?: string | null; zone?: string }) {
  if (text === null) return '–'
  return (
    <>
      <Text size="sm" c="var(--red)" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      {time ? (
        <Text size="xs" c="dimmed">
          {formatDateTime(time, zone)}
        </Text>
      ) : null}
    </>
  )
}

type Product = ServerWork['derived'][number]
type DerivedRow = Pick<Product, 'product'> & Product['regions'][number]
type Query = ServerWork['queries'][number]

/** Columns of derived data: one row per product and region. */
export const derivedColumns = (t: TFunction, zone: string): TableColumn<DerivedRow>[] => [
  {
    key: 'product',
    title: t('derived:data.product'),
    width: 180,
    value: ({ product }) => t(`derived:product.${product}`, { defaultValue: product }),
  },
  {
    key: 'region',
    title: t('derived:data.region'),
    width: 160,
    value: ({ text }) => text,
  },
  {
    key: 'dirty',
    title: t('derived:data.dirty'),
    width: 100,
    isNumber: true,
    value: ({ dirty }) => dirty,
    renderCell: ({ dirty }) => formatInteger(dirty),
  },
  {
    key: 'since',
    title: t('derived:data.since'),
    width: 180,
    value: ({ dirty_since }) => dirty_since,
    renderCell: ({ dirty_since }) => (dirty_since ? formatDateTime(dirty_since, zone) : '–'),
  },
  {
    key: 'newest',
    title: t('derived:data.newest'),
    width: 160,
    value: ({ newest }) => newest,
    renderCell: ({ newest }) => newest ?? '–',
  },
  {
    key: 'worked',
    title: t('derived:data.worked'),
    width: 150,
    isNumber: true,
    value: ({ worked_ms }) => worked_ms,
    renderCell: ({ worked_ms }) => formatMs(t, worked_ms),
  },
  {
    key: 'lastProblem',
    title: t('derived:data.lastProblem'),
    width: 230,
    value: ({ last_problem }) => last_problem,
    renderCell: ({ last_problem }) => <Problem text={last_problem} />,
  },
]

/** Columns of queries to the fact store by caller. */
export const queryColumns = (t: TFunction): TableColumn<Query>[] => [
  { key: 'caller', title: t('derived:queries.caller'), width: 300, value: ({ caller }) => caller },
  {
    key: 'perMinute',
    title: t('derived:queries.perMinute'),
    width: 160,
    isNumber: true,
    value: ({ queries_per_minute }) => queries_per_minute,
    renderCell: ({ queries_per_minute }) => formatNumber(queries_per_minute),
  },
  {
    key: 'msPerMinute',
    title: t('derived:queries.msPerMinute'),
    width: 160,
    isNumber: true,
    value: ({ ms_per_minute }) => ms_per_minute,
    renderCell: ({ ms_per_minute }) => formatMs(t, ms_per_minute),
  },
]
