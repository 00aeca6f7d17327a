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
  currencyDecimals,
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
import { paymentPeriod } from '../payment-period.ts'
import { transactionFilters, transactionQuery, transactionsSearch } from './transactions-search.ts'

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
  const context = { today, getDefaultPeriod: paymentPeriod(lastDay), currency: region.currencyCode }
  const params = { region_id: region.regionId }
  const query = transactionQuery(search, context)
  const options = { placeholderData: keepPreviousData }
  const { page = 1, size = pageSize, sort = '-paid_time' } = search
  const list = useEndpointQuery(
    listTransactions,
    { params, query: { ...query, page, size, order_by: sort } },
    options,
  )
  const statistics = useEndpointQuery(getTransactionStatistics, { params, query }, options)
  const places = useEndpointQuery(lookUpTransactionShapes, { params, query }, options)
  const operatorsQuery = useEndpointQuery(listPaymentOperators, { params })
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
        filters={transactionFilters(
          context,
          {
            vendors: operatorsQuery.data?.vendors ?? [],
            types: operatorsQuery.data?.payment_types ?? [],
            zones,
          },
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
              columns={transactionColumns(region, zoneNames, t)}
              rowKey={({ transaction_id: id }) => id}
              state={search}
              onStateChange={(changes) => push(changes as Partial<typeof search>)}
              defaultSort="-paid_time"
              server={{ total, sortKeys: transactionOrders }}
            />
          )}
        </Loaded>
        <Loaded
          query={places}
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

/** The totals of the selection as a line, and a list of kinds that are not revenue. */
function Totals({
  statistics,
  region: { regionId, currencyCode: currency },
  t,
}: {
  statistics: TransactionStatistics
  region: Region
  t: TFunction
}) {
  const money = (minor: number): string => formatMoney(minor / 10 ** currencyDecimals(currency), currency)
  const apart = statistics.kinds.filter(({ kind }) => kind !== 'counted' && kind !== 'refund')
  return (
    <div role="status" className="figures">
      <Text fw={600}>
        {t('curb:payments.totals', {
          payments: formatInteger(statistics.payments),
          revenue: money(statistics.revenue),
          received: money(statistics.received),
          refunded: money(Math.abs(statistics.refunded)),
          sessions: formatInteger(statistics.sessions),
          hours: formatNumber(statistics.purchased_seconds / 3600, 0),
        })}
      </Text>
      {apart.length ? (
        <Text size="sm" c="dimmed">
          {t('curb:payments.apart', {
            kinds: apart
              .map(({ kind, rows, amount }) =>
                t('curb:payments.apartKind', {
                  kind: t(`curb:payments.kind.${kind}`),
                  rows: formatInteger(rows),
                  amount: money(amount),
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

function transactionColumns(
  region: Region,
  zoneNames: ReadonlyMap<string, string>,
  t: TFunction,
): TableColumn<Transaction>[] {
  const title = (key: string): string => t(`curb:payments.column.${key}`)
  const digits = 10 ** currencyDecimals(region.currencyCode)
  const time = (value: string | null): string =>
    value === null ? '' : formatDateTime(value, region.timezone)
  const money = (minor: number | null): string =>
    minor === null ? '' : formatMoney(minor / digits, region.currencyCode)
  return [
    column('paid_time', title('paid_time'), ({ paid_time: value }) => value, {
      width: 200,
      renderCell: ({ paid_time: value }) => time(value),
    }),
    column('amount', title('amount'), ({ amount }) => amount / digits, {
      isNumber: true,
      width: 100,
      renderCell: ({ amount }) => money(amount),
    }),
    column(
      'duration',
      title('duration'),
      ({ purchased_seconds: seconds }) => (seconds === null ? null : seconds / 60),
      {
        isNumber: true,
        width: 100,
        renderCell: ({ purchased_seconds: seconds }) =>
          seconds === null ? '' : formatNumber(seconds / 60, 0),
      },
    ),
    column('location', title('location'), ({ location_name: name }) => name, { width: 140 }),
    column('zone', title('zone'), ({ curb_zone_id: id }) => (id === '' ? '' : (zoneNames.get(id) ?? id)), {
      canSort: false,
      width: 230,
    }),
    column('payment_type', title('payment_type'), ({ payment_type: type }) => type, { width: 120 }),
    column('vendor', title('vendor'), ({ vendor }) => vendor, { width: 170 }),
    column('kind', title('kind'), ({ kind }) => t(`curb:payments.kind.${kind}`), {
      canSort: false,
      width: 100,
    }),
    column('start', title('start'), ({ start_time: value }) => value, {
      canSort: false,
      isHidden: true,
      width: 190,
      renderCell: ({ start_time: value }) => time(value),
    }),
    column('end', title('end'), ({ end_time: value }) => value, {
      canSort: false,
      isHidden: true,
      width: 190,
      renderCell: ({ end_time: value }) => time(value),
    }),
    column('rate', title('rate'), ({ rate }) => (rate === null ? null : rate / digits), {
      canSort: false,
      isNumber: true,
      isHidden: true,
      width: 110,
      renderCell: ({ rate }) => money(rate),
    }),
    column('session', title('session'), ({ session_id: id }) => id, { canSort: false, isHidden: true }),
  ]
}

/** The payments of locations on a map. */
function LocationsMap({
  region,
  locations,
  now,
  selected,
  onSelect,
}: {
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
}) {
  const { t } = useTranslation()
  const digits = 10 ** currencyDecimals(region.currencyCode)
  const places = useMemo(
    () =>
      locations.flatMap(({ location_id: id, name, lon, lat, payments, revenue }) =>
        lon === null || lat === null
          ? []
          : [
              {
                id,
                name,
                value: revenue / digits,
                text: t('curb:payments.map.card', {
                  revenue: formatMoney(revenue / digits, region.currencyCode),
                  payments: formatInteger(payments),
                }),
                geometry: { type: 'Point' as const, coordinates: [lon, lat] as [number, number] },
              },
            ],
      ),
    [locations, digits, region.currencyCode, t],
  )
  return (
    <MoneyMap
      region={region}
      places={places}
      title={t('curb:payments.map.locations')}
      unit={t('curb:payments.measure.revenue.name')}
      legendLabel={t('curb:payments.map.legend')}
      at={now}
      selected={selected}
      onSelect={onSelect}
    />
  )
}

interface TransactionActionsProps {
  regionId: string
  query: ReturnType<typeof transactionQuery>
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
