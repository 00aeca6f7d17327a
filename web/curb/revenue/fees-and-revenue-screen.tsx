import { Button, Group, Select, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  getCurbRevenueTotals,
  getFullCurbRevenue,
  listCurbAccounts,
  revenueKinds,
  type RevenueTotals,
} from '#contract/curb-revenue.ts'
import { startOfMonth } from '#contract/period.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import { DownloadButton } from '#web/kit/download-button.tsx'
import { formatInteger, formatMoney } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { type Metric, MetricTile } from '#web/kit/metric-tile.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { AccountDialog } from './account-dialog.tsx'
import { AccountTable, ReconciliationChecks } from './reconciliation.tsx'
import { readFeesSearch } from './revenue-search.ts'
import { RevenueMap } from './revenue-map.tsx'
import { RevenueTable } from './revenue-table.tsx'

/** Number of months of the default period, including the current one. */
const defaultMonths = 3

/** Session fees, permits, meters and citations of the curb, reconciled with invoices and transactions. */
export function FeesAndRevenueScreen() {
  const { t } = useTranslation()
  const region = useRegion()
  const { can } = useMe()
  const { search, push } = useSearchState(readFeesSearch)
  const now = useOpenedAt()
  const today = useToday(region.timezone)
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const period = {
    start_date: search.from ?? startOfMonth(today, defaultMonths - 1),
    end_date: search.to ?? today,
  }
  const params = { region_id: region.regionId }
  const filter = {
    ...period,
    ...(search.kind ? { kinds: [search.kind] } : {}),
    ...(search.payer ? { payers: [search.payer] } : {}),
  }
  const totals = useEndpointQuery(getCurbRevenueTotals, { params, query: filter })
  const accounts = useEndpointQuery(listCurbAccounts, { params })
  const csvRequest = { params, query: { ...filter, format: 'csv' as const } }
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.feesAndRevenue')}
        context={t('curb:revenue.context', { region: region.text })}
        actions={
          <Group gap="sm">
            <DownloadButton
              label={t('kit:download')}
              variant="default"
              formats={[
                {
                  fileName: `fees-and-revenue-${period.start_date}-${period.end_date}.csv`,
                  label: t('curb:revenue.csv'),
                  href: endpointUrl(getFullCurbRevenue, csvRequest),
                },
              ]}
            />
            {can('draft_invoices') ? (
              <Button onClick={() => setIsDialogOpen(true)}>{t('curb:revenue.account.add')}</Button>
            ) : null}
          </Group>
        }
      />
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <DateRangePicker
            label={t('curb:revenue.period')}
            range={{ from: period.start_date, to: period.end_date }}
            today={today}
            onChange={({ from, to }) => push({ from: from ?? undefined, to: to ?? undefined })}
          />
          <Select
            label={t('curb:revenue.kind')}
            clearable
            placeholder={t('curb:revenue.all')}
            data={revenueKinds.map((value) => ({ value, label: t(`curb:revenue.kinds.${value}`) }))}
            value={search.kind ?? null}
            onChange={(value) => push({ kind: revenueKinds.find((kind) => kind === value) })}
          />
          <Select
            label={t('curb:revenue.payer')}
            clearable
            placeholder={t('curb:revenue.all')}
            error={accounts.error?.message}
            data={(accounts.data?.items ?? []).map(({ account_id: value, name: label }) => ({
              value,
              label,
            }))}
            value={search.payer ?? null}
            onChange={(value) => push({ payer: value ?? undefined })}
          />
        </SimpleGrid>
        <Loaded query={totals} skeleton={<Skeleton height={320} />}>
          {(data) => (
            <>
              <Tiles totals={data} />
              <section>
                <Title order={2} mb="sm">
                  {t('curb:revenue.reconciliation.title')}
                </Title>
                <ReconciliationChecks totals={data} />
                <AccountTable totals={data} accounts={accounts.data?.items ?? []} />
              </section>
            </>
          )}
        </Loaded>
        <RevenueMap region={region} filter={filter} at={now} />
        <section>
          <Title order={2} mb="sm">
            {t('curb:revenue.rows')}
          </Title>
          <RevenueTable filter={filter} />
        </section>
      </Stack>
      {isDialogOpen ? <AccountDialog account={null} onClose={() => setIsDialogOpen(false)} /> : null}
    </ReadingPage>
  )
}

function Tiles({ totals }: { totals: RevenueTotals }) {
  const { t } = useTranslation()
  const tiles = revenueKinds.map((kind): Metric => {
    const sum = totals[kind]
    const amount = sum?.amount ?? null
    return {
      label: t(`curb:revenue.kinds.${kind}`),
      value: amount === null ? null : Number(amount),
      format: (value) => formatMoney(value, totals.currency),
      unit: '',
      definition: t(`curb:revenue.definition.${kind}`, { number: formatInteger(sum?.quantity ?? 0) }),
      missingReason: t(sum ? 'curb:revenue.noAmount' : 'curb:revenue.notAvailable'),
    }
  })
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      {tiles.map((metric) => (
        <MetricTile key={metric.label} metric={metric} />
      ))}
    </SimpleGrid>
  )
}
