import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { invoiceKinds, invoiceStatuses, listInvoices } from '#contract/invoices.ts'
import { type LocalDay, localDay } from '#contract/period.ts'
import { now } from '#web/data/clock.ts'
import { fetchAll } from '#web/data/fetch-all.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import type { Filter } from '#web/filters/filter.ts'
import styles from './billing.module.css'
import { getInvoiceColumns } from './invoice-columns.tsx'
import {
  defaultInvoiceOrder,
  hasInvoiceFilters,
  toInvoiceQuery,
  invoiceOrders,
  type InvoicingSearch,
  readInvoicingSearch,
} from './invoicing-search.ts'
import { NewDraftDialog } from './new-draft-dialog.tsx'
import { usePayers } from './use-payers.ts'

const noFilters: InvoicingSearch = {
  operator: undefined,
  status: undefined,
  kind: undefined,
  start_date: undefined,
  end_date: undefined,
  search: undefined,
  page: undefined,
}

/** The region's invoices and credit notes that the user may see. */
export function InvoiceList() {
  const { t, i18n } = useTranslation()
  const { regionId, timezone } = useRegion()
  const { user, can } = useMe()
  const { search, push, replace } = useSearchState(readInvoicingSearch)
  const { payers, getOperatorName } = usePayers()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const { page = 1, size = 50 } = search
  const params = { region_id: regionId }
  const query = toInvoiceQuery(search)
  const isOperator = user.operators !== null
  const today = localDay(new Date(now()), timezone)
  const invoices = useEndpointQuery(
    listInvoices,
    { params, query: { ...query, page, size } },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const resetPage = (changes: object): InvoicingSearch => ({ ...changes, page: undefined })
  const newDraftButton = can('draft_invoices') ? (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setIsDialogOpen(true)}>
      {t('billing:draft.open')}
    </Button>
  ) : null
  const isFiltered = hasInvoiceFilters(search)
  return (
    <>
      <div className={styles['tools']}>
        <FilterBar
          label={t('billing:invoices.filters')}
          filters={getFilterDefinitions({ t, payers, isOperator, today })}
          state={search}
          onChange={(changes) => push(resetPage(changes))}
          onType={(changes) => replace(resetPage(changes))}
        />
        {newDraftButton}
      </div>
      <Loaded
        query={invoices}
        isEmpty={({ total }) => total === 0}
        empty={<NoInvoices isFiltered={isFiltered} isOperator={isOperator} onClear={() => push(noFilters)} />}
      >
        {({ items, total }) => (
          <Table
            label={t('billing:tabs.invoices')}
            rows={items}
            columns={getInvoiceColumns({ t, language: i18n.language, regionId, getOperatorName })}
            rowKey={(row) => row.invoice_id}
            isWrapped
            state={search}
            onStateChange={(changes) => push(changes as InvoicingSearch)}
            defaultSort={defaultInvoiceOrder}
            fileName={`invoices-${regionId}-${today}`}
            server={{
              total,
              sortKeys: invoiceOrders,
              loadAll: (onProgress) =>
                fetchAll(listInvoices, { params, query }, { getKey: (row) => row.invoice_id, onProgress }),
            }}
          />
        )}
      </Loaded>
      {isDialogOpen ? <NewDraftDialog today={today} onClose={() => setIsDialogOpen(false)} /> : null}
    </>
  )
}

interface FilterDefinitionOptions {
  t: TFunction
  payers: ReturnType<typeof usePayers>['payers']
  /** Whether the user is limited to operators, who do not see drafts. */
  isOperator: boolean
  today: LocalDay
}

const getFilterDefinitions = ({ t, payers, isOperator, today }: FilterDefinitionOptions): Filter[] => [
  { kind: 'search', key: 'search', label: t('billing:invoices.search') },
  {
    kind: 'choice',
    key: 'operator',
    label: t('billing:field.operator'),
    none: t('billing:invoices.allOperators'),
    options: (payers ?? []).map(({ slug: value, name: text }) => ({ value, text })),
  },
  {
    kind: 'choice',
    key: 'status',
    label: t('billing:field.status'),
    none: t('billing:invoices.allStatuses'),
    options: invoiceStatuses
      .filter((status) => !isOperator || (status !== 'draft' && status !== 'approved'))
      .map((value) => ({ value, text: t(`billing:status.${value}`) })),
  },
  {
    kind: 'choice',
    key: 'kind',
    label: t('billing:field.kind'),
    none: t('billing:invoices.allKinds'),
    options: invoiceKinds.map((value) => ({ value, text: t(`billing:kind.${value}`) })),
  },
  { kind: 'days', label: t('billing:field.period'), today },
]

interface NoInvoicesProps {
  isFiltered: boolean
  isOperator: boolean
  onClear: () => void
}

/** Shown when the list is empty: why, and what to do. */
function NoInvoices({ isFiltered, isOperator, onClear }: NoInvoicesProps) {
  const { t } = useTranslation()
  const { can } = useMe()
  const getTextKey = () => {
    if (isFiltered) return 'billing:invoices.noneFound.text'
    if (isOperator) return 'billing:invoices.none.own'
    return can('draft_invoices') ? 'billing:invoices.none.text' : 'billing:invoices.none.read'
  }
  return (
    <EmptyState
      title={t(isFiltered ? 'billing:invoices.noneFound.title' : 'billing:invoices.none.title')}
      action={
        isFiltered ? (
          <Button variant="default" onClick={onClear}>
            {t('billing:invoices.noneFound.action')}
          </Button>
        ) : null
      }
    >
      {t(getTextKey())}
    </EmptyState>
  )
}
