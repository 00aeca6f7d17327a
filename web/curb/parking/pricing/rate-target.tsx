import { NumberInput, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  defaultElasticity,
  type PricingParameters,
  type RateScenario,
} from '#contract/curb-pricing-parameters.ts'
import { queryRateTarget, rateTargetSortKeys, sumRateTarget } from '#contract/curb-pricing.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { call } from '#web/data/client.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatInteger, formatPercent } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { Warning } from '#web/kit/warning.tsx'
import { CellChoice, useCell } from './cell-choice.tsx'
import { type ModeProps, tablePageSize } from './occupancy-target.tsx'
import { PricingMap } from './pricing-map.tsx'
import { Revenue } from './pricing-summary.tsx'
import styles from './pricing.module.css'
import { getDefaultParameters } from './pricing-search.ts'
import { useScenarioColumns } from './use-pricing-columns.tsx'

/** Maximum number of rows of a request; the map shows all rows of one cell. */
const maxMapRows = 5000
const defaultPercent = 10
/** Upper bounds of the bins of the occupancy map, as shares. */
const upperBounds = [0.3, 0.6, 0.7, 0.8, 0.9, 1, Infinity]

/** The mode that estimates the occupancy at other rates. */
export function RateTarget({ region, search, push, today, at }: ModeProps) {
  const { t } = useTranslation()
  const parameters = search.parameters ?? getDefaultParameters(today)
  const currency = region.currencyCode
  const columns = useScenarioColumns(currency)
  const cell = useCell(parameters, search)
  const percent = search.percent ?? defaultPercent
  const elasticity = search.elasticity === undefined ? defaultElasticity : search.elasticity / 100
  const scenario = useScenario(parameters, percent, elasticity)
  const params = { region_id: region.regionId }
  const body = { scenario, ...cell, sort: search.sort ?? '+shape_name' }
  const rows = useEndpointQuery(
    queryRateTarget,
    { params, body: { ...body, page: search.page ?? 1, size: search.size ?? tablePageSize } },
    { placeholderData: keepPreviousData },
  )
  const mapData = useEndpointQuery(
    queryRateTarget,
    { params, body: { scenario, ...cell, size: maxMapRows } },
    { placeholderData: keepPreviousData },
  )
  const sums = useEndpointQuery(
    sumRateTarget,
    { params, body: { scenario, ...cell } },
    { placeholderData: keepPreviousData },
  )
  const bins = useOccupancyBins()
  const zonesOnMap = useMemo(
    () =>
      (mapData.data?.items ?? []).map((row) => ({
        curb_zone_id: row.curb_zone_id,
        shape_name: row.shape_name,
        bbox: row.bbox,
        value: row.expected,
        text: `${formatPercent(row.occupancy)} → ${formatPercent(row.expected)}`,
      })),
    [mapData.data],
  )
  return (
    <div className={styles['layout']}>
      <Warning title={t('curb:pricing.scenario.title')}>{t('curb:pricing.scenario.text')}</Warning>
      <div className={styles['filters']}>
        <ScenarioFields percent={percent} elasticity={elasticity} push={push} />
        <CellChoice parameters={parameters} cell={cell} onChange={push} />
      </div>
      <Loaded query={sums}>{(data) => <ScenarioSummary sums={data} currency={currency} />}</Loaded>
      <PricingMap
        region={region}
        rows={zonesOnMap}
        bins={bins}
        path="rate_target"
        parameters={scenario}
        cell={cell}
        heading={t('curb:pricing.map.expected')}
        selected={search.zone ?? null}
        onSelect={(id) => push({ zone: id ?? undefined })}
        at={at}
        isDimmed={mapData.isPlaceholderData}
      />
      <Loaded query={rows}>
        {(data) => (
          <Table
            label={t('curb:pricing.scenario.table')}
            rows={data.items}
            columns={columns}
            rowKey={(row) => `${row.curb_zone_id} ${row.band} ${row.day_type}`}
            state={search}
            onStateChange={push}
            defaultSort="shape_name"
            server={{
              total: data.total,
              sortKeys: rateTargetSortKeys,
              loadAll: async () =>
                (await call(queryRateTarget, { params, body: { ...body, size: maxMapRows } })).items,
            }}
            pageSize={tablePageSize}
            fileName={`curb-rate-scenario_${region.regionId}`}
          />
        )}
      </Loaded>
    </div>
  )
}

/** Returns a scenario in which the rates of all zones change by a percentage. */
function useScenario(parameters: PricingParameters, percent: number, elasticity: number): RateScenario {
  return useMemo((): RateScenario => {
    const { bands, day_types, start_date, end_date, excluded_days, kinds, paid_reason } = parameters
    const { min_days, min_coverage, curb_zone_ids } = parameters
    return {
      bands,
      day_types,
      start_date,
      end_date,
      excluded_days,
      kinds,
      paid_reason,
      min_days,
      min_coverage,
      curb_zone_ids,
      change: { by: 'percent', value: percent },
      elasticity,
    }
  }, [parameters, percent, elasticity])
}

/** Returns the bins of the occupancy map. */
function useOccupancyBins() {
  const { t } = useTranslation()
  return useMemo(
    () =>
      upperBounds.map((end, index) => ({
        key: String(index),
        label:
          end === Infinity
            ? t('curb:pricing.map.over', { from: formatPercent(upperBounds[index - 1]) })
            : t('curb:pricing.map.below', { until: formatPercent(end) }),
        color: index,
        has: (value: number) => value < end && value >= (upperBounds[index - 1] ?? 0),
      })),
    [t],
  )
}

interface ScenarioFieldsProps extends Pick<ModeProps, 'push'> {
  percent: number
  elasticity: number
}

/** Fields: by how much rates change, and how demand reacts. */
function ScenarioFields({ percent, elasticity, push }: ScenarioFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <NumberInput
        label={t('curb:pricing.scenario.percent')}
        suffix=" %"
        min={-100}
        max={500}
        allowDecimal={false}
        value={percent}
        onChange={(value) => push({ percent: Number(value) || 0, page: undefined })}
      />
      <NumberInput
        label={t('curb:pricing.scenario.elasticity')}
        description={t('curb:pricing.scenario.elasticityHint')}
        min={-2}
        max={0}
        step={0.05}
        decimalScale={2}
        value={elasticity}
        onChange={(value) => push({ elasticity: Math.round(Number(value) * 100), page: undefined })}
      />
    </>
  )
}

interface ScenarioSummaryProps {
  sums: EndpointOutput<typeof sumRateTarget>
  currency: string
}

/** The expected mean occupancy and revenue. */
function ScenarioSummary({ sums, currency }: ScenarioSummaryProps) {
  const { t } = useTranslation()
  return (
    <>
      <Text size="lg">
        {sums.occupancy === null
          ? t('curb:pricing.scenario.none')
          : t('curb:pricing.scenario.mean', {
              before: formatPercent(sums.occupancy),
              after: formatPercent(sums.expected),
              low: formatPercent(sums.low),
              high: formatPercent(sums.high),
              rows: formatInteger(sums.rows - sums.refused),
            })}
      </Text>
      <Revenue revenue={sums.revenue} currency={currency} />
    </>
  )
}
