import { Select, Text, TextInput } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getPriceProposal, listPriceProposals } from '#contract/curb-price-proposals.ts'
import { type BackTest, backTestPricing, type RowOutcome } from '#contract/curb-pricing.ts'
import { toMajor } from '#contract/money.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatMediumDay } from '#web/kit/dates/calendar-text.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatInteger, formatPercent } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { CellChoice, useCell } from './cell-choice.tsx'
import { type ModeProps, tablePageSize } from './occupancy-target.tsx'
import { ParametersForm } from './parameters-form.tsx'
import { PricingMap } from './pricing-map.tsx'
import styles from './pricing.module.css'
import { getPastParameters } from './pricing-search.ts'
import { formatRateChange, formatRate } from './pricing-text.ts'
import { usePricingColumns } from './use-pricing-columns.tsx'

type BackTestRow = BackTest['items'][number]

/** Compares what a rule would have proposed in the past with the rates that the city set. */
export function BackTestMode({ region, search, push, today, at }: ModeProps) {
  const { t, i18n } = useTranslation()
  const params = { region_id: region.regionId }
  const currency = region.currencyCode
  const parameters = search.parameters ?? getPastParameters(today)
  const comparedDay = search.compared ?? parameters.effective_date
  const [typedDay, setTypedDay] = useState(comparedDay)
  /** Without parameters in the URL, nothing is tested yet. */
  const isRequested = search.parameters !== undefined
  const proposals = useEndpointQuery(listPriceProposals, { params }).data?.items
  const decidedProposals = (proposals ?? []).filter(({ status }) => status === 'in_force')
  const loadProposal = useMutation<Awaited<ReturnType<typeof readProposal>>, ApiError, string>({
    mutationFn: (id) => readProposal(region.regionId, id),
    onSuccess: (proposal) => {
      setTypedDay(proposal.effective_date)
      push({
        parameters: proposal.parameters,
        compared: proposal.effective_date,
        page: undefined,
        band: undefined,
        day_type: undefined,
      })
    },
  })
  const test = useEndpointQuery(
    backTestPricing,
    { params, body: { parameters, compared_day: comparedDay } },
    { enabled: isRequested, placeholderData: keepPreviousData },
  )
  return (
    <div className={styles['layout']}>
      <Text size="sm" c="dimmed" maw={720}>
        {t('curb:pricing.backTest.text')}
      </Text>
      {decidedProposals.length ? (
        <Select
          label={t('curb:pricing.backTest.change')}
          description={t('curb:pricing.backTest.changeHint')}
          maw={480}
          placeholder={t('curb:pricing.backTest.choose')}
          data={decidedProposals.map(({ proposal_id: value, name, effective_date: date }) => ({
            value,
            label: `${name}, ${formatMediumDay(date, i18n.language)}`,
          }))}
          value={null}
          onChange={(id) => {
            if (id !== null) loadProposal.mutate(id)
          }}
        />
      ) : null}
      {loadProposal.error ? (
        <FailedState error={loadProposal.error} title={t('curb:pricing.backTest.failed')} />
      ) : null}
      <TextInput
        type="date"
        maw={260}
        label={t('curb:pricing.backTest.compared')}
        description={t('curb:pricing.backTest.comparedHint')}
        value={typedDay}
        max={today}
        onChange={(event) => setTypedDay(event.currentTarget.value)}
      />
      <ParametersForm
        key={JSON.stringify(parameters)}
        parameters={parameters}
        currency={currency}
        today={today}
        isPending={test.isFetching}
        onCalculate={(next) =>
          push({
            parameters: next,
            compared: typedDay || next.effective_date,
            page: undefined,
            band: undefined,
            day_type: undefined,
          })
        }
      />
      {isRequested ? (
        <Loaded query={test}>
          {(data) => (
            <Result
              test={data}
              props={{ region, search: { ...search, parameters }, push, today, at }}
              isDimmed={test.isPlaceholderData}
            />
          )}
        </Loaded>
      ) : (
        <EmptyState title={t('curb:pricing.backTest.none')} icon={<IconHistory />}>
          {t('curb:pricing.backTest.noneText')}
        </EmptyState>
      )}
    </div>
  )
}

const readProposal = (regionId: string, id: string) =>
  call(getPriceProposal, { params: { region_id: regionId, proposal_id: id } })

const moves = ['up', 'unchanged', 'down'] as const satisfies readonly RowOutcome[]

/** How a proposed rate agrees with that of the city, best first. */
const agreements = ['same_rate', 'same_direction', 'other_direction'] as const

/** Indexes of the diverging colors, in the order of `agreements`. */
const agreementColors = [0, 3, 6]

/** Compares a proposed rate with that of the city; null if one is unknown. */
export function compareRates({
  current_rate: current,
  proposed_rate: proposed,
  actual_rate: actual,
}: BackTestRow): (typeof agreements)[number] | null {
  if (current === null || proposed === null || actual === null) return null
  if (proposed === actual) return 'same_rate'
  return Math.sign(proposed - current) === Math.sign(actual - current) ? 'same_direction' : 'other_direction'
}

interface ResultProps {
  test: BackTest
  props: ModeProps & { search: { parameters: NonNullable<ModeProps['search']['parameters']> } }
  isDimmed: boolean
}

function Result({ test, props: { region, search, push, today, at }, isDimmed }: ResultProps) {
  const { t } = useTranslation()
  const { parameters } = search
  const currency = region.currencyCode
  const cell = useCell(parameters, search)
  const columns = useBackTestColumns(currency, parameters)
  const bins = useMemo(
    () =>
      agreements.map((agreement, index) => ({
        key: agreement,
        label: t(`curb:pricing.backTest.agreement.${agreement}`),
        color: agreementColors[index] ?? 0,
        has: (value: number) => value === index,
      })),
    [t],
  )
  const mapRows = useMemo(
    () =>
      test.items
        .filter(({ band, day_type: type }) => band === cell.band && type === cell.day_type)
        .map((row) => ({ row, agreement: compareRates(row) }))
        .map(({ row, agreement }) => ({
          curb_zone_id: row.curb_zone_id,
          shape_name: row.shape_name,
          bbox: row.bbox,
          value: agreement && agreements.indexOf(agreement),
          text: t('curb:pricing.backTest.card', {
            proposed: formatRate(row.proposed_rate, currency),
            actual: formatRate(row.actual_rate, currency),
          }),
        })),
    [test, cell.band, cell.day_type, currency, t],
  )
  return (
    <>
      <BackTestSummary test={test} />
      <CellChoice parameters={parameters} cell={cell} onChange={push} />
      <PricingMap
        region={region}
        rows={mapRows}
        bins={bins}
        path="occupancy_target"
        parameters={parameters}
        cell={cell}
        heading={t('curb:pricing.backTest.map')}
        selected={search.zone ?? null}
        onSelect={(id) => push({ zone: id ?? undefined })}
        at={at}
        isDimmed={isDimmed}
      />
      <Table
        label={t('curb:pricing.backTest.table')}
        rows={test.items}
        columns={columns}
        rowKey={(row) => `${row.curb_zone_id} ${row.band} ${row.day_type}`}
        state={search}
        onStateChange={push}
        defaultSort="shape_name"
        pageSize={tablePageSize}
        fileName={`curb-back-test_${region.regionId}_${today}`}
      />
    </>
  )
}

/** How often the rule agrees with the city. */
function BackTestSummary({ test }: { test: BackTest }) {
  const { t, i18n } = useTranslation()
  const formatShare = (rows: number): string =>
    test.rows
      ? t('curb:pricing.backTest.share', {
          rows: formatInteger(rows),
          share: formatPercent(rows / test.rows),
        })
      : formatInteger(rows)
  const tiles = [
    ['rows', formatInteger(test.rows)],
    ['sameRate', formatShare(test.same_rate)],
    ['sameDirection', formatShare(test.same_direction)],
    ['refused', formatInteger(test.refused)],
  ] as const
  return (
    <section className={styles['summary']} aria-labelledby="back-test">
      <h2 id="back-test">
        {t('curb:pricing.backTest.title', { day: formatMediumDay(test.compared_day, i18n.language) })}
      </h2>
      <dl className={styles['tiles']}>
        {tiles.map(([key, value]) => (
          <div key={key} className={styles['tile']}>
            <dt>{t(`curb:pricing.backTest.tile.${key}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {test.rows ? (
        <DirectionMatrix directions={test.directions} />
      ) : (
        <Text>{t('curb:pricing.backTest.nothing')}</Text>
      )}
    </section>
  )
}

/** The number of rows by proposed and actual direction. */
function DirectionMatrix({ directions }: Pick<BackTest, 'directions'>) {
  const { t } = useTranslation()
  const countRows = (proposed: RowOutcome, actual: RowOutcome): number =>
    directions.find((direction) => direction.proposed === proposed && direction.actual === actual)?.rows ?? 0
  return (
    <div className={styles['scroll']}>
      <table className={styles['matrix']}>
        <caption>{t('curb:pricing.backTest.matrix')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('curb:pricing.backTest.proposed')}</th>
            {moves.map((actual) => (
              <th key={actual} scope="col">
                {t(`curb:pricing.backTest.city.${actual}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {moves.map((proposed) => (
            <tr key={proposed}>
              <th scope="row">{t(`curb:pricing.outcome.${proposed}`)}</th>
              {moves.map((actual) => (
                <td key={actual} data-same={proposed === actual || undefined}>
                  {formatInteger(countRows(proposed, actual))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function useBackTestColumns(
  currency: string,
  parameters: Parameters<typeof usePricingColumns>[1],
): TableColumn<BackTestRow>[] {
  const { t } = useTranslation()
  const columns = usePricingColumns<BackTestRow>(currency, parameters)
  return useMemo(() => {
    const insertIndex = columns.findIndex(({ key }) => key === 'change') + 1
    const comparison: TableColumn<BackTestRow>[] = [
      column(
        'actual_rate',
        t('curb:pricing.backTest.actual'),
        ({ actual_rate: rate }) => (rate === null ? null : toMajor(rate, currency)),
        { renderCell: ({ actual_rate: rate }) => formatRate(rate, currency), isNumber: true, width: 120 },
      ),
      column(
        'actual_change',
        t('curb:pricing.backTest.actualChange'),
        ({ actual_rate: rate, current_rate: current }) =>
          rate === null || current === null ? null : toMajor(rate - current, currency),
        {
          renderCell: ({ actual_rate: rate, current_rate: current }) =>
            formatRateChange(rate === null || current === null ? null : rate - current, currency),
          isNumber: true,
          width: 130,
        },
      ),
      column('agreement', t('curb:pricing.backTest.agrees'), compareRates, {
        renderCell: (row) => {
          const agreement = compareRates(row)
          return agreement === null ? '' : t(`curb:pricing.backTest.agreement.${agreement}`)
        },
        width: 150,
      }),
    ]
    return [...columns.slice(0, insertIndex), ...comparison, ...columns.slice(insertIndex)]
  }, [columns, t, currency])
}
