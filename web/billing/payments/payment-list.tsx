import { Button, Group } from '@mantine/core'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadLedger, listPayments, type Payment } from '#contract/invoice-payments.ts'
import { localDay } from '#contract/period.ts'
import { now } from '#web/data/clock.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { fetchAll } from '#web/data/fetch-all.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { DownloadButton } from '#web/kit/download-button.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import type { Period } from '#web/filters/period.ts'
import styles from '../billing.module.css'
import { type InvoicingSearch, readInvoicingSearch } from '../invoicing-search.ts'
import { usePayers } from '../use-payers.ts'
import { ImportPaymentsDialog } from './import-payments-dialog.tsx'
import { getPaymentColumns } from './payment-columns.tsx'
import { PaymentDialog } from './payment-dialog.tsx'
import { VoidPaymentDialog } from './void-payment-dialog.tsx'

type OpenDialog = { kind: 'record' } | { kind: 'import' } | { kind: 'void'; payment: Payment }

/** Payments of invoices, and the journal for the finance system: of the filtered days, else of this year. */
export function PaymentList() {
  const { t, i18n } = useTranslation()
  const { regionId, timezone } = useRegion()
  const { user, can } = useMe()
  const { search, push, replace } = useSearchState(readInvoicingSearch)
  const { payers, getOperatorName } = usePayers()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { page = 1, size = 50, operator, start_date, end_date } = search
  const params = { region_id: regionId }
  const filters = { operator, start_date, end_date }
  const today = localDay(new Date(now()), timezone)
  const yearToDate = { start_date: `${today.slice(0, 4)}-01-01`, end_date: today }
  const payments = useEndpointQuery(
    listPayments,
    { params, query: { ...filters, page, size } },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const resetPage = (changes: object): InvoicingSearch => ({ ...changes, page: undefined })
  const close = (): void => setDialog(null)
  const unfilteredText = can('record_payments') ? 'text' : 'read'
  const isFiltered = operator !== undefined || start_date !== undefined
  return (
    <>
      <div className={styles['tools']}>
        <FilterBar
          label={t('billing:payments.filters')}
          filters={[
            {
              kind: 'choice',
              key: 'operator',
              label: t('billing:field.operator'),
              none: t('billing:invoices.allOperators'),
              options: (payers ?? []).map(({ slug: value, name: text }) => ({ value, text })),
            },
            { kind: 'days', label: t('billing:payments.days'), today },
          ]}
          state={search}
          onChange={(changes) => push(resetPage(changes))}
          onType={(changes) => replace(resetPage(changes))}
        />
        {can('record_payments') ? (
          <PaymentActions
            period={
              start_date !== undefined && end_date !== undefined ? { start_date, end_date } : yearToDate
            }
            onOpen={setDialog}
          />
        ) : null}
      </div>
      <Loaded
        query={payments}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState title={t('billing:payments.none.title')}>
            {t(`billing:payments.none.${isFiltered ? 'filtered' : unfilteredText}`)}
          </EmptyState>
        }
      >
        {({ items, total }) => (
          <Table
            label={t('billing:tabs.payments')}
            rows={items}
            columns={getPaymentColumns({
              t,
              language: i18n.language,
              regionId,
              getOperatorName,
              isCity: user.operators === null,
              onVoid: can('record_payments') ? (payment) => setDialog({ kind: 'void', payment }) : undefined,
            })}
            rowKey={(row) => row.payment_id}
            isWrapped
            state={{ page: search.page, size: search.size, columns: search.columns }}
            onStateChange={(changes) => push(changes as InvoicingSearch)}
            fileName={`payments-${regionId}-${today}`}
            server={{
              total,
              sortKeys: [],
              loadAll: (onProgress) =>
                fetchAll(
                  listPayments,
                  { params, query: filters },
                  { getKey: (row) => row.payment_id, onProgress },
                ),
            }}
          />
        )}
      </Loaded>
      {dialog?.kind === 'record' ? <PaymentDialog today={today} onClose={close} /> : null}
      {dialog?.kind === 'import' ? <ImportPaymentsDialog onClose={close} /> : null}
      {dialog?.kind === 'void' ? <VoidPaymentDialog payment={dialog.payment} onClose={close} /> : null}
    </>
  )
}

interface PaymentActionsProps {
  /** Days of the journal. */
  period: Period
  onOpen: (dialog: OpenDialog) => void
}

/** The download of the journal, and the buttons that import or record payments. */
function PaymentActions({ period, onOpen }: PaymentActionsProps) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  return (
    <Group gap="sm">
      <DownloadButton
        label={t('billing:payments.ledger')}
        variant="default"
        formats={[
          {
            fileName: `ledger-${regionId}.csv`,
            href: endpointUrl(downloadLedger, { params: { region_id: regionId }, query: period }),
          },
        ]}
      />
      <Button
        variant="default"
        leftSection={<IconFileImport size={18} />}
        onClick={() => onOpen({ kind: 'import' })}
      >
        {t('billing:import.open')}
      </Button>
      <Button leftSection={<IconPlus size={18} />} onClick={() => onOpen({ kind: 'record' })}>
        {t('billing:payments.record')}
      </Button>
    </Group>
  )
}
