import { Button } from '@mantine/core'
import { IconFilePlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { queryOccupancyTarget, pricingSortKeys, sumOccupancyTarget } from '#contract/curb-pricing.ts'
import type { Region } from '#contract/regions.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { call } from '#web/data/client.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { useMe } from '#web/shell/me.tsx'
import { CellChoice, useCell } from './cell-choice.tsx'
import { NewProposalDialog } from './new-proposal-dialog.tsx'
import { ParametersForm } from './parameters-form.tsx'
import { PricingMap } from './pricing-map.tsx'
import styles from './pricing.module.css'
import { getDefaultParameters, type PricingSearch } from './pricing-search.ts'
import { formatRateChange, getRateChange, formatRate } from './pricing-text.ts'
import { PricingSummary } from './pricing-summary.tsx'
import { RowFilters } from './row-filters.tsx'
import { usePricingColumns } from './use-pricing-columns.tsx'

export interface ModeProps {
  region: Region
  search: PricingSearch
  push: (changes: Partial<PricingSearch>) => void
  today: string
  at: number
}

type PricingRow = EndpointOutput<typeof queryOccupancyTarget>['items'][number]

export const tablePageSize = 50
/** Maximum number of rows in a request; the map shows all rows of one cell. */
const maxMapRows = 5000

/** Returns the bins of a map of changes. */
const getChangeBins = (t: ReturnType<typeof useTranslation>['t']) => [
  { key: 'up', label: t('curb:pricing.outcome.up'), color: 6, has: (change: number) => change > 0 },
  {
    key: 'same',
    label: t('curb:pricing.outcome.unchanged'),
    color: 3,
    has: (change: number) => change === 0,
  },
  { key: 'down', label: t('curb:pricing.outcome.down'), color: 0, has: (change: number) => change < 0 },
]

/** Rates that a rule proposes from the occupancy of each zone. */
export function OccupancyTarget({ region, search, push, today, at }: ModeProps) {
  const { t } = useTranslation()
  const { can } = useMe()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const parameters: PricingParameters = search.parameters ?? getDefaultParameters(today)
  const currency = region.currencyCode
  const columns = usePricingColumns(currency, parameters)
  const cell = useCell(parameters, search)
  const params = { region_id: region.regionId }
  const body = {
    parameters,
    outcome: search.outcome ?? null,
    text: search.search ?? '',
    sort: search.sort ?? '+shape_name',
  }
  const rows = useEndpointQuery(
    queryOccupancyTarget,
    { params, body: { ...body, page: search.page ?? 1, size: search.size ?? tablePageSize } },
    { placeholderData: keepPreviousData },
  )
  const sums = useEndpointQuery(
    sumOccupancyTarget,
    { params, body: { parameters } },
    { placeholderData: keepPreviousData },
  )
  const mapData = useEndpointQuery(
    queryOccupancyTarget,
    { params, body: { parameters, band: cell.band, day_type: cell.day_type, size: maxMapRows } },
    { placeholderData: keepPreviousData },
  )
  const zonesOnMap = useMapRows(mapData.data?.items, currency)
  const mapBins = useMemo(() => getChangeBins(t), [t])
  return (
    <div className={styles['layout']}>
      <ParametersForm
        key={JSON.stringify(parameters)}
        parameters={parameters}
        currency={currency}
        today={today}
        isPending={rows.isFetching}
        onCalculate={(next) =>
          push({ parameters: next, page: undefined, band: undefined, day_type: undefined })
        }
      />
      <Loaded query={sums}>
        {(data) => <PricingSummary summary={data} parameters={parameters} regionName={region.text} />}
      </Loaded>
      <CellChoice parameters={parameters} cell={cell} onChange={push} />
      <PricingMap
        region={region}
        rows={zonesOnMap}
        bins={mapBins}
        path="occupancy_target"
        parameters={parameters}
        cell={cell}
        heading={t('curb:pricing.map.changes')}
        selected={search.zone ?? null}
        onSelect={(id) => push({ zone: id ?? undefined })}
        at={at}
        isDimmed={mapData.isPlaceholderData}
      />
      <div className={styles['filters']}>
        <RowFilters search={search} push={push} />
        {can('edit_curb_regulations') ? (
          <Button
            className={styles['act'] ?? ''}
            leftSection={<IconFilePlus size={18} />}
            onClick={() => setIsDialogOpen(true)}
          >
            {t('curb:pricing.proposal.create')}
          </Button>
        ) : null}
      </div>
      <Loaded query={rows}>
        {(data) => (
          <Table
            label={t('curb:pricing.table')}
            rows={data.items}
            columns={columns}
            rowKey={(row) => `${row.curb_zone_id} ${row.band} ${row.day_type}`}
            state={search}
            onStateChange={push}
            defaultSort="shape_name"
            server={{
              total: data.total,
              sortKeys: pricingSortKeys,
              loadAll: (onProgress) => loadAllRows({ params, body, onProgress }),
            }}
            pageSize={tablePageSize}
            fileName={`curb-rates_${region.regionId}`}
          />
        )}
      </Loaded>
      {isDialogOpen ? (
        <NewProposalDialog
          regionId={region.regionId}
          parameters={parameters}
          onClose={() => setIsDialogOpen(false)}
        />
      ) : null}
    </div>
  )
}

/** Returns the zones of one cell with their changes, for the map. */
function useMapRows(rows: readonly PricingRow[] | undefined, currency: string) {
  return useMemo(
    () =>
      (rows ?? []).map((row) => ({
        curb_zone_id: row.curb_zone_id,
        shape_name: row.shape_name,
        bbox: row.bbox,
        value: getRateChange(row),
        text: `${formatRate(row.current_rate, currency)} ${formatRateChange(getRateChange(row), currency)}`,
      })),
    [rows, currency],
  )
}

interface AllRowsInput {
  params: { region_id: string }
  body: Omit<Parameters<typeof call<typeof queryOccupancyTarget>>[1]['body'], 'page' | 'size'>
  onProgress: (share: number) => void
}

/** Loads all rows, page by page. */
async function loadAllRows({ params, body, onProgress }: AllRowsInput): Promise<PricingRow[]> {
  const loadedRows: PricingRow[] = []
  for (let page = 1; ; page++) {
    const next = await call(queryOccupancyTarget, { params, body: { ...body, page, size: maxMapRows } })
    loadedRows.push(...next.items)
    onProgress(next.total ? loadedRows.length / next.total : 1)
    if (loadedRows.length >= next.total || !next.items.length) return loadedRows
  }
}
