import { Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { ServerWork } from '#contract/server-work.ts'
import { formatDateTime, formatInteger, isMissing, type MaybeNumber } from '#web/kit/format.ts'
import { formatDuration } from '#web/kit/format-duration.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'

/** Formats a duration; below one second in milliseconds. A dash if it is missing. */
export function formatMs(t: TFunction, ms: MaybeNumber): string {
  if (isMissing(ms)) return '–'
  return ms < 1000 ? t('derived:ms', { shown: formatInteger(ms) }) : formatDuration(Math.round(ms / 1000))
}

interface ProblemProps {
  /** Null if there was no failure. */
  text: string | null
  time?: string | null
  timezone?: string
}

/** The reason and time of a failure. */
export function Problem({ text, time, timezone }: ProblemProps) {
  if (text === null) return '–'
  return (
    <>
      <Text size="sm" c="var(--red)" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      {time ? (
        <Text size="xs" c="dimmed">
          {formatDateTime(time, timezone)}
        </Text>
      ) : null}
    </>
  )
}

type Product = ServerWork['derived'][number]
type DerivedRow = Pick<Product, 'product'> & Product['regions'][number]
type Query = ServerWork['queries'][number]

/** Returns the columns of derived data, which has one row per product and region. */
export const getDerivedColumns = (t: TFunction, timezone: string): TableColumn<DerivedRow>[] => [
  column(
    'product',
    t('derived:data.product'),
    ({ product }) => t(`derived:product.${product}`, { defaultValue: product }),
    { width: 180 },
  ),
  column('region', t('derived:data.region'), ({ text }) => text, { width: 160 }),
  column('dirty', t('derived:data.dirty'), ({ dirty }) => dirty, { width: 100, isNumber: true }),
  column('since', t('derived:data.since'), ({ dirty_since }) => dirty_since, {
    width: 180,
    renderCell: ({ dirty_since }) => (dirty_since ? formatDateTime(dirty_since, timezone) : '–'),
  }),
  column('newest', t('derived:data.newest'), ({ newest }) => newest, {
    width: 160,
    renderCell: ({ newest }) => newest ?? '–',
  }),
  column('worked', t('derived:data.worked'), ({ worked_ms }) => worked_ms, {
    width: 150,
    isNumber: true,
    renderCell: ({ worked_ms }) => formatMs(t, worked_ms),
  }),
  column('lastProblem', t('derived:data.lastProblem'), ({ last_problem }) => last_problem, {
    width: 230,
    renderCell: ({ last_problem }) => <Problem text={last_problem} />,
  }),
]

/** Returns the columns of queries to the fact store by caller. */
export const getQueryColumns = (t: TFunction): TableColumn<Query>[] => [
  column('caller', t('derived:queries.caller'), ({ caller }) => caller, { width: 300 }),
  column('perMinute', t('derived:queries.perMinute'), ({ queries_per_minute }) => queries_per_minute, {
    width: 160,
    isNumber: true,
  }),
  column('msPerMinute', t('derived:queries.msPerMinute'), ({ ms_per_minute }) => ms_per_minute, {
    width: 160,
    isNumber: true,
    renderCell: ({ ms_per_minute }) => formatMs(t, ms_per_minute),
  }),
]
