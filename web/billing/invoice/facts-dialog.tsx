import { Button, Stack, Text } from '@mantine/core'
import { IconMap } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { type FeeFact, listFeeFacts } from '#contract/fees.ts'
import { readLineDetail } from '#contract/invoice-lines.ts'
import type { Invoice, InvoiceLine } from '#contract/invoices.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { formatDay } from '#web/kit/dates/day-text.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState } from '#web/kit/table/table-state.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatAmount, formatPrice, formatQuantity } from '../amounts.ts'
import styles from '../billing.module.css'
import { formatLine, formatUnit } from './line-text.ts'

const FactsMap = lazy(async () => ({ default: (await import('./facts-map.tsx')).FactsMap }))

interface Props {
  invoice: Invoice
  line: InvoiceLine
  onClose: () => void
}

/** Formats how the amount of a line follows from its quantity and price, in words. */
function formatComputation(t: TFunction, { currency }: Invoice, line: InvoiceLine): string {
  const { quantity, unit, unit_price: price, amount, kind, charged_before: before } = line
  const texts = {
    quantity: `${formatQuantity(quantity)} ${formatUnit(t, unit)}`.trim(),
    price: price === null ? '' : formatPrice(price, currency),
    amount: formatAmount(amount, currency),
    before: before === null ? '' : formatAmount(before, currency),
  }
  if (kind === 'adjustment' && before !== null) return t('billing:facts.adjustment', texts)
  return t(price === null ? 'billing:facts.withoutPrice' : 'billing:facts.product', texts)
}

/** The trips, parking events or vehicle-days that a line charges. */
export function FactsDialog({ invoice, line, onClose }: Props) {
  const { t, i18n } = useTranslation()
  const { regionId, timezone } = useRegion()
  const [state, setState] = useState<TableState>({})
  const [hasMap, setHasMap] = useState(false)
  const { page = 1, size = 50 } = state
  const { policy_uuid: policy, start_date, end_date } = line
  const detail = readLineDetail(line)
  const facts = useEndpointQuery(
    listFeeFacts,
    {
      params: { region_id: regionId },
      query: {
        policy_uuid: policy ?? '',
        operator: invoice.operator,
        ...(detail.kind === 'vehicle_type' ? { vehicle_type: detail.type } : {}),
        start_date,
        end_date,
        page,
        size,
      },
    },
    { enabled: policy !== null, placeholderData: keepPreviousData },
  )
  const items = facts.data?.items
  const points = useMemo(
    () => (items ?? []).flatMap(({ lon, lat }) => (lon === null || lat === null ? [] : [{ lon, lat }])),
    [items],
  )
  const columns = getFactColumns({ t, language: i18n.language, timezone, currency: invoice.currency })
  const title = t('billing:facts.title', { line: line.line })
  return (
    <Dialog title={title} size={960} onClose={onClose}>
      <Stack gap="sm">
        <Text>
          <strong>{formatLine(t, line)}</strong>, {formatPeriod(line, i18n.language)}
        </Text>
        <Text>{formatComputation(t, invoice, line)}</Text>
        {policy === null ? (
          <Text c="dimmed">{t('billing:facts.noPolicy')}</Text>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              {t(invoice.facts ? 'billing:facts.now' : 'billing:facts.text')}
            </Text>
            <Loaded
              query={facts}
              isEmpty={({ total }) => total === 0}
              empty={
                <EmptyState title={t('billing:facts.none.title')}>{t('billing:facts.none.text')}</EmptyState>
              }
            >
              {({ items: rows, total }) => (
                <Stack gap="sm">
                  {points.length ? (
                    <FactsMapSwitch points={points} isOpen={hasMap} onOpen={setHasMap} />
                  ) : null}
                  <Table
                    label={title}
                    rows={rows}
                    columns={columns}
                    rowKey={(row) => row.fact_id}
                    state={state}
                    onStateChange={(changes) => setState({ ...state, ...changes })}
                    server={{ total, sortKeys: [] }}
                    maxHeight={340}
                    isWrapped
                  />
                </Stack>
              )}
            </Loaded>
          </>
        )}
      </Stack>
    </Dialog>
  )
}

interface FactColumnsInput {
  t: TFunction
  language: string
  timezone: string
  currency: string
}

function getFactColumns({ t, language, timezone, currency }: FactColumnsInput): TableColumn<FeeFact>[] {
  const formatShares = ({ shares }: FeeFact): string =>
    shares
      .map(({ quantity, unit, unit_price: price }) => {
        const priced = price === null ? null : formatPrice(price, currency)
        if (quantity === '1') return priced ?? t('billing:facts.one')
        const amount = `${formatQuantity(quantity)} ${formatUnit(t, unit)}`
        return priced === null ? amount : t('billing:facts.share', { amount, price: priced })
      })
      .join('; ')
  return [
    column('start_time', t('billing:facts.time'), (fact) => fact.start_time ?? fact.day, {
      width: 170,
      renderCell: (fact) =>
        fact.start_time === null ? formatDay(fact.day, language) : formatDateTime(fact.start_time, timezone),
    }),
    column('end_time', t('billing:facts.end'), (fact) => fact.end_time, {
      width: 170,
      renderCell: (fact) => (fact.end_time === null ? '' : formatDateTime(fact.end_time, timezone)),
    }),
    column('vehicle_type', t('billing:facts.vehicleType'), (fact) => vehicleTypeName(fact.vehicle_type), {
      width: 110,
    }),
    column('vehicle_id', t('billing:facts.vehicle'), (fact) => fact.vehicle_id, {
      width: 150,
      renderCell: (fact) => <span className={styles['code']}>{fact.vehicle_id}</span>,
    }),
    column('shares', t('billing:facts.charged'), formatShares, { width: 200 }),
  ]
}

interface FactsMapSwitchProps {
  points: readonly { lon: number; lat: number }[]
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** A button that opens a map of the facts, and the map. */
function FactsMapSwitch({ points, isOpen, onOpen }: FactsMapSwitchProps) {
  const { t } = useTranslation()
  return (
    <>
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconMap size={16} />}
          aria-expanded={isOpen}
          onClick={() => onOpen(!isOpen)}
        >
          {t(isOpen ? 'billing:facts.hideMap' : 'billing:facts.showMap')}
        </Button>
      </div>
      {isOpen ? (
        <div className={styles['map']}>
          <Suspense>
            <FactsMap points={points} />
          </Suspense>
        </div>
      ) : null}
    </>
  )
}
