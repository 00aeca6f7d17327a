import { Text, TextInput } from '@mantine/core'
import { IconCoinOff } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getPublicRates, type PublicRates } from '#contract/curb-price-proposals.ts'
import { toMajor } from '#contract/money.ts'
import type { PublicRegion } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatMediumDay } from '#web/kit/dates/calendar-text.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatMoney, formatTimezone } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { formatWeekday } from '#web/kit/weekdays.ts'
import { PublicFrame } from '#web/shell/public-frame.tsx'
import { PublicPage } from '#web/shell/public-page.tsx'
import { searchParams, tableParams, text } from '#web/shell/search-params.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { formatClockRange } from '#web/kit/time/time-of-day.ts'
import styles from './parking/pricing/pricing.module.css'

const ratesSearch = searchParams({ ...tableParams, search: text() })
const pageSize = 300

/** The public page of a region's parking rates, with announced and past changes. */
export function PublicRatesScreen() {
  const { t } = useTranslation()
  return (
    <PublicPage title={t('shell:pages.publicRates')}>
      {(region) => (
        <PublicFrame title={region.text}>
          <ReadingPage>
            {region.has_public_rates ? (
              <Rates region={region} />
            ) : (
              <>
                <PageHeader title={t('curb:publicRates.heading', { region: region.text })} />
                <EmptyState title={t('curb:publicRates.none')} icon={<IconCoinOff />}>
                  {t('curb:publicRates.noneText')}
                </EmptyState>
              </>
            )}
          </ReadingPage>
        </PublicFrame>
      )}
    </PublicPage>
  )
}

type RateRow = PublicRates['items'][number]
type ChangeRow = PublicRates['changes'][number]['rows'][number]

/** The current rates, and announced and past changes. */
function Rates({ region }: { region: PublicRegion }) {
  const { t, i18n } = useTranslation()
  const { search, push } = useSearchState(ratesSearch)
  const response = useEndpointQuery(
    getPublicRates,
    {
      params: { region_id: region.regionId },
      query: { text: search.search ?? '', page: search.page ?? 1, size: pageSize },
    },
    { placeholderData: keepPreviousData },
  )
  const currency = response.data?.currency ?? 'USD'
  const columns = useRateColumns(currency)
  return (
    <div className={styles['layout']}>
      <PageHeader
        title={t('curb:publicRates.heading', { region: region.text })}
        context={t('curb:publicRates.context', { zone: formatTimezone(region.timezone) })}
      />
      <TextInput
        className={styles['search'] ?? ''}
        label={t('curb:publicRates.search')}
        defaultValue={search.search ?? ''}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
        onBlur={(event) => push({ search: event.currentTarget.value || undefined, page: undefined })}
      />
      <Loaded query={response}>
        {(data) => (
          <>
            {data.changes
              .filter((change) => change.is_announced)
              .map((change) => (
                <RateChange key={change.proposal_id} change={change} columns={columns.changes} />
              ))}
            <section className={styles['section']} aria-labelledby="rates-now">
              <h2 id="rates-now">
                {t('curb:publicRates.now', { day: formatMediumDay(data.day, i18n.language) })}
              </h2>
              <Table
                label={t('curb:publicRates.now', { day: formatMediumDay(data.day, i18n.language) })}
                rows={data.items}
                columns={columns.items}
                rowKey={(row) => row.curb_zone_id}
                state={search}
                onStateChange={push}
                server={{ total: data.total, sortKeys: [] }}
                pageSize={pageSize}
                isWrapped
                maxHeight="none"
                fileName={`curb-rates_${region.regionId}`}
              />
            </section>
            {data.changes
              .filter((change) => !change.is_announced)
              .map((change) => (
                <RateChange key={change.proposal_id} change={change} columns={columns.changes} />
              ))}
          </>
        )}
      </Loaded>
    </div>
  )
}

/** Formats ISO weekdays: more than two consecutive ones as a range such as `Mon–Fri`, others as a list. */
function formatWeekdays(days: readonly number[], language: string): string {
  const sorted = days.toSorted((a, b) => a - b)
  const first = sorted[0]
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) return ''
  const formatDay = (day: number): string => formatWeekday(day, language, 'short')
  if (sorted.length > 2 && last - first === sorted.length - 1) return `${formatDay(first)}–${formatDay(last)}`
  return sorted.map(formatDay).join(', ')
}

interface RateChangeProps {
  change: PublicRates['changes'][number]
  columns: TableColumn<ChangeRow>[]
}

/** An announced or past change of rates. */
function RateChange({ change, columns }: RateChangeProps) {
  const { t, i18n } = useTranslation()
  return (
    <section className={styles['section']} aria-label={change.name}>
      <h2>
        {t(`curb:publicRates.${change.is_announced ? 'announced' : 'changed'}`, {
          day: formatMediumDay(change.effective_date, i18n.language),
        })}
      </h2>
      <Text size="sm" c="dimmed">
        {t('curb:publicRates.changeNote', { name: change.name })}
      </Text>
      <Table
        label={change.name}
        rows={change.rows}
        columns={columns}
        rowKey={(row) => `${row.curb_zone_id} ${row.days.join()} ${row.from}`}
        defaultSort="shape_name"
        pageSize={50}
        isWrapped
        fileName={`curb-rate-changes_${change.effective_date}`}
      />
    </section>
  )
}

/** Returns the columns of current rates and of changes. */
function useRateColumns(currency: string) {
  const { t, i18n } = useTranslation()
  return useMemo(() => {
    const formatPrice = (minor: number | null): string =>
      minor === null
        ? t('curb:publicRates.several')
        : t('curb:publicRates.perHour', { price: formatMoney(toMajor(minor, currency), currency) })
    const formatDays = (days: readonly number[]): string => formatWeekdays(days, i18n.language)
    const placeColumn = <Row extends { shape_name: string }>(): TableColumn<Row> =>
      column('shape_name', t('curb:publicRates.column.place'), (row) => row.shape_name)
    const items: TableColumn<RateRow>[] = [
      placeColumn(),
      column(
        'rates',
        t('curb:publicRates.column.rates'),
        (row) =>
          row.lines
            .map((line) => `${formatDays(line.days)} ${line.from}–${line.until} ${formatPrice(line.rate)}`)
            .join('; '),
        {
          renderCell: (row) =>
            row.lines.map((line) => (
              <span key={`${line.days.join()} ${line.from}`} className={styles['rates']}>
                {formatDays(line.days)} {formatClockRange(line.from, line.until)}: {formatPrice(line.rate)}
              </span>
            )),
        },
      ),
      column('since', t('curb:publicRates.column.since'), (row) => row.since, {
        renderCell: (row) =>
          row.since === null ? t('kit:notAvailable') : formatMediumDay(row.since, i18n.language),
        width: 130,
      }),
    ]
    const changes: TableColumn<ChangeRow>[] = [
      placeColumn(),
      column(
        'times',
        t('curb:publicRates.column.times'),
        (row) => `${formatDays(row.days)} ${row.from}–${row.until}`,
        { renderCell: (row) => `${formatDays(row.days)} ${formatClockRange(row.from, row.until)}` },
      ),
      column(
        'rate_before',
        t('curb:publicRates.column.before'),
        (row) => toMajor(row.rate_before, currency),
        { renderCell: (row) => formatPrice(row.rate_before), isNumber: true },
      ),
      column('rate_after', t('curb:publicRates.column.after'), (row) => toMajor(row.rate_after, currency), {
        renderCell: (row) => formatPrice(row.rate_after),
        isNumber: true,
      }),
    ]
    return { items, changes }
  }, [t, i18n.language, currency])
}
