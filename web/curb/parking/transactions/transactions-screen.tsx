import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconDatabaseImport, IconDownload, IconMapPin } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  downloadTransactions,
  getTransactionDateRange,
  getTransactionStatistics,
  listPaymentLocationLayers,
  listPaymentOperators,
  listTransactions,
  lookUpTransactionShapes,
  type Transaction,
  transactionOrders,
  type TransactionStatistics,
} from '#contract/curb-payments.ts'
import type { Region } from '#contract/regions.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { selectedPeriod, formatPeriod } from '#web/filters/period.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import {
  getCurrencyDecimals,
  formatDateTime,
  formatInteger,
  formatMoney,
  formatNumber,
} from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { SlideChanger } from '#web/shell/slide-changer.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { MoneyMap } from '../money-map.tsx'
import { getPaymentPeriod } from '../payment-period.ts'
import { getTransactionFilters, toTransactionQuery, transactionsSearch } from './transactions-search.ts'

const pageSize = 50

/** Transactions: single payments with filters, totals of the selection and a map of their locations. */
export function TransactionsScreen() {
  const { t } = useTranslation()
  const region = useRegion()
  const now = useOpenedAt()
  const range = useEndpointQuery(getTransactionDateRange, { params: { region_id: region.regionId } })
  return (
    <ReadingPage>
      <Loaded query={range} dim={false}>
        {({ end_date: lastDay }) => (
          <Transactions region={region} now={now} lastDay={lastDay} title={t('shell:pages.transactions')} />
        )}
      </Loaded>
    </ReadingPage>
  )
}

interface Props {
  region: Region
  now: number
  lastDay: string | null
  title: string
}

/** The transactions of a period: figures, map and table. */
function Transactions({ region, now, lastDay, title }: Props) {
  const { t, i18n } = useTranslation()
  const { search, push, replace } = useSearchState(transactionsSearch)
  const today = useToday(region.timezone)
  const context = { today, getDefaultPeriod: getPaymentPeriod(lastDay), currency: region.currencyCode }
  const params = { region_id: region.regionId }
  const query = toTransactionQuery(search, context)
  const options = { placeholderData: keepPreviousData }
  const { page = 1, size = pageSize, sort = '-paid_time' } = search
  const list = useEndpointQuery(
    listTransactions,
    { params, query: { ...query, page, size, order_by: sort } },
    options,
  )
  const statistics = useEndpointQuery(getTransactionStatistics, { params, query }, options)
  const locationsQuery = useEndpointQuery(lookUpTransactionShapes, { params, query }, options)
  const valueLists = useEndpointQuery(listPaymentOperators, { params })
  const layers = useEndpointQuery(listPaymentLocationLayers, { params })
  const zones = layers.data?.zones ?? []
  const zoneNames = new Map(zones.map(({ curb_zone_id: id, name }) => [id, name]))
  return (
    <>
      <PageHeader
        title={title}
        context={t('curb:payments.context', {
          region: region.text,
          days: formatPeriod(selectedPeriod(search, today, context.getDefaultPeriod), i18n.language),
        })}
        actions={<TransactionActions regionId={region.regionId} query={query} />}
      />
      <FilterBar
        filters={getTransactionFilters(
          context,
          { vendors: valueLists.data?.vendors ?? [], types: valueLists.data?.payment_types ?? [], zones },
          t,
        )}
        state={search}
        onChange={(changes) => push({ ...changes, page: undefined })}
        onType={(changes) => replace({ ...changes, page: undefined })}
      />
      <Stack>
        <Loaded
          query={statistics}
          dim={false}
          isEmpty={({ kinds, pending_days: pending }) => !kinds.length && !pending}
          empty={null}
        >
          {(data) => <Totals statistics={data} region={region} t={t} />}
        </Loaded>
        <Loaded
          query={list}
          isEmpty={({ total }) => total === 0}
          empty={
            <EmptyState title={t('curb:payments.empty.title')}>
              {t(lastDay === null ? 'curb:payments.empty.none' : 'curb:payments.empty.text')}
            </EmptyState>
          }
        >
          {({ items, total }) => (
            <Table
              label={title}
              rows={items}
              columns={getTransactionColumns(region, zoneNames, t)}
              rowKey={(row) => row.transaction_id}
              state={search}
              onStateChange={(changes) => push(changes as Partial<typeof search>)}
              defaultSort="-paid_time"
              server={{ total, sortKeys: transactionOrders }}
            />
          )}
        </Loaded>
        <Loaded
          query={locationsQuery}
          isEmpty={({ locations }) => locations.every(({ lon }) => lon === null)}
          empty={null}
        >
          {({ locations }) => (
            <LocationsMap
              region={region}
              locations={locations}
              now={now}
              selected={search.locations?.length === 1 ? (search.locations[0] ?? null) : null}
              onSelect={(id) => push({ locations: id === null ? undefined : [id], page: undefined })}
            />
          )}
        </Loaded>
      </Stack>
    </>
  )
}

interface TotalsProps {
  statistics: TransactionStatistics
  region: Region
  t: TFunction
}

/** The totals of the selection, kinds that are not revenue, and what the totals exclude. */
function Totals({ statistics, region: { regionId, currencyCode: currency }, t }: TotalsProps) {
  const formatMinor = (minor: number): string =>
    formatMoney(minor / 10 ** getCurrencyDecimals(currency), currency)
  const otherKinds = statistics.kinds.filter(({ kind }) => kind !== 'counted' && kind !== 'refund')
  return (
    <div role="status" className="figures">
      <Text fw={600}>
        {t('curb:payments.totals', {
          payments: formatInteger(statistics.payments),
          revenue: formatMinor(statistics.revenue),
          received: formatMinor(statistics.received),
          refunded: formatMinor(Math.abs(statistics.refunded)),
          sessions: formatInteger(statistics.sessions),
          hours: formatNumber(statistics.purchased_seconds / 3600, 0),
        })}
      </Text>
      {otherKinds.length ? (
        <Text size="sm" c="dimmed">
          {t('curb:payments.notRevenue', {
            kinds: otherKinds
              .map(({ kind, rows, amount }) =>
                t('curb:payments.apartKind', {
                  kind: t(`curb:payments.kind.${kind}`),
                  rows: formatInteger(rows),
                  amount: formatMinor(amount),
                }),
              )
              .join(' · '),
          })}
        </Text>
      ) : null}
      {statistics.unlinked ? (
        <Text size="sm" c="dimmed">
          {t('curb:payments.unlinked', { shown: formatInteger(statistics.unlinked) })}{' '}
          <Anchor component={Link} underline="always" size="sm" to={pagePath(regionId, 'paymentLocations')}>
            {t('curb:payments.linkThem')}
          </Anchor>
        </Text>
      ) : null}
      {statistics.pending_days ? (
        <Text size="sm" c="dimmed">
          {t('reporting:freshness.pending', { count: statistics.pending_days })}
        </Text>
      ) : null}
    </div>
  )
}

function getTransactionColumns(
  region: Region,
  zoneNames: ReadonlyMap<string, string>,
  t: TFunction,
): TableColumn<Transaction>[] {
  const getTitle = (key: string): string => t(`curb:payments.column.${key}`)
  const minorPerMajor = 10 ** getCurrencyDecimals(region.currencyCode)
  const formatTime = (value: string | null): string =>
    value === null ? '' : formatDateTime(value, region.timezone)
  const formatMinor = (minor: number | null): string =>
    minor === null ? '' : formatMoney(minor / minorPerMajor, region.currencyCode)
  return [
    column('paid_time', getTitle('paid_time'), (row) => row.paid_time, {
      width: 200,
      renderCell: (row) => formatTime(row.paid_time),
    }),
    column('amount', getTitle('amount'), ({ amount }) => amount / minorPerMajor, {
      isNumber: true,
      width: 100,
      renderCell: ({ amount }) => formatMinor(amount),
    }),
    column(
      'duration',
      getTitle('duration'),
      ({ purchased_seconds: seconds }) => (seconds === null ? null : seconds / 60),
      {
        isNumber: true,
        width: 100,
        renderCell: ({ purchased_seconds: seconds }) =>
          seconds === null ? '' : formatNumber(seconds / 60, 0),
      },
    ),
    column('location', getTitle('location'), (row) => row.location_name, { width: 140 }),
    column('zone', getTitle('zone'), ({ curb_zone_id: id }) => (id === '' ? '' : (zoneNames.get(id) ?? id)), {
      canSort: false,
      width: 230,
    }),
    column('payment_type', getTitle('payment_type'), (row) => row.payment_type, { width: 120 }),
    column('vendor', getTitle('vendor'), ({ vendor }) => vendor, { width: 170 }),
    column('kind', getTitle('kind'), ({ kind }) => t(`curb:payments.kind.${kind}`), {
      canSort: false,
      width: 100,
    }),
    column('start', getTitle('start'), (row) => row.start_time, {
      canSort: false,
      isHidden: true,
      width: 190,
      renderCell: (row) => formatTime(row.start_time),
    }),
    column('end', getTitle('end'), (row) => row.end_time, {
      canSort: false,
      isHidden: true,
      width: 190,
      renderCell: (row) => formatTime(row.end_time),
    }),
    column('rate', getTitle('rate'), ({ rate }) => (rate === null ? null : rate / minorPerMajor), {
      canSort: false,
      isNumber: true,
      isHidden: true,
      width: 110,
      renderCell: ({ rate }) => formatMinor(rate),
    }),
    column('session', getTitle('session'), (row) => row.session_id, { canSort: false, isHidden: true }),
  ]
}

interface LocationsMapProps {
  region: Region
  locations: readonly {
    location_id: string
    name: string
    lon: number | null
    lat: number | null
    payments: number
    revenue: number
  }[]
  now: number
  selected: string | null
  onSelect: (id: string | null) => void
}

/** Locations on a map, colored by their revenue. */
function LocationsMap({ region, locations, now, selected, onSelect }: LocationsMapProps) {
  const { t } = useTranslation()
  const minorPerMajor = 10 ** getCurrencyDecimals(region.currencyCode)
  const places = useMemo(
    () =>
      locations.flatMap(({ location_id: id, name, lon, lat, payments, revenue }) =>
        lon === null || lat === null
          ? []
          : [
              {
                id,
                name,
                value: revenue / minorPerMajor,
                cardText: t('curb:payments.map.card', {
                  revenue: formatMoney(revenue / minorPerMajor, region.currencyCode),
                  payments: formatInteger(payments),
                }),
                geometry: { type: 'Point' as const, coordinates: [lon, lat] as [number, number] },
              },
            ],
      ),
    [locations, minorPerMajor, region.currencyCode, t],
  )
  return (
    <MoneyMap
      region={region}
      places={places}
      title={t('curb:payments.map.locations')}
      legendTitle={t('curb:payments.measure.revenue.name')}
      legendLabel={t('curb:payments.map.legend')}
      at={now}
      selected={selected}
      onSelect={onSelect}
    />
  )
}

interface TransactionActionsProps {
  regionId: string
  query: ReturnType<typeof toTransactionQuery>
}

/** The download of the selection, and the pages of imports and locations. */
function TransactionActions({ regionId, query }: TransactionActionsProps) {
  const { t } = useTranslation()
  return (
    <Group gap="sm">
      <Button
        component="a"
        variant="default"
        href={endpointUrl(downloadTransactions, { params: { region_id: regionId }, query })}
        download={`transactions_${regionId}.csv`}
        leftSection={<IconDownload size={18} />}
      >
        {t('curb:payments.download')}
      </Button>
      <Button
        component={Link}
        to={`/${regionId}/curb/parking-insights/transactions/imports`}
        leftSection={<IconDatabaseImport size={18} />}
      >
        {t('curb:payments.import')}
      </Button>
      <Button
        component={Link}
        variant="default"
        to={pagePath(regionId, 'paymentLocations')}
        leftSection={<IconMapPin size={18} />}
      >
        {t('shell:pages.paymentLocations')}
      </Button>
      <SlideChanger page="transactions" />
    </Group>
  )
}
