import { Textarea } from '@mantine/core'
import { IconBan, IconPencil, IconRestore } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import {
  editPriceProposal,
  listProposalRows,
  type PriceProposalDetail,
  type ProposalRow,
} from '#contract/curb-price-proposals.ts'
import { pricingSortKeys } from '#contract/curb-pricing.ts'
import { toMajor, toMinor } from '#contract/money.ts'
import type { Region } from '#contract/regions.ts'
import { call } from '#web/data/client.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { proposalQueries } from './decide-dialogs.tsx'
import styles from './pricing.module.css'
import { pricingSearch } from './pricing-search.ts'
import { formatKeyName, formatRate } from './pricing-text.ts'
import { usePricingColumns } from './use-pricing-columns.tsx'
import { RowFilters } from './row-filters.tsx'

interface Props {
  proposal: PriceProposalDetail
  region: Region
  canEdit: boolean
}
/** Edits of a row: another rate, no change, the proposed rate again. */
type Action = 'set' | 'exclude' | 'restore'

const pageSize = 50
/** Rows per request while all rows are loaded for a file. */
const fileBatchSize = 5000
/** Columns that are only needed to check a row: last and hidden at first. */
const evidenceColumns = new Set(['days', 'coverage', 'step', 'capacity', 'last_change'])

/** Rows of a proposal with their edits. */
export function ProposalRows({ proposal, region, canEdit }: Props) {
  const { t } = useTranslation()
  const { search, push } = useSearchState(pricingSearch)
  const [dialog, setDialog] = useState<{ action: Action; row: ProposalRow } | null>(null)
  const columns = useProposalColumns(proposal, region.currencyCode)
  const params = { region_id: region.regionId, proposal_id: proposal.proposal_id }
  const body = {
    outcome: search.outcome ?? null,
    text: search.search ?? '',
    sort: search.sort ?? '+shape_name',
  }
  const response = useEndpointQuery(
    listProposalRows,
    { params, body: { ...body, page: search.page ?? 1, size: search.size ?? pageSize } },
    { placeholderData: keepPreviousData, staleTime: 0 },
  )
  return (
    <section className={styles['section']} aria-labelledby="rows">
      <h2 id="rows">{t('curb:pricing.proposal.rows')}</h2>
      <div className={styles['filters']}>
        <RowFilters search={search} push={push} />
      </div>
      <Loaded query={response}>
        {(data) => (
          <Table
            label={t('curb:pricing.proposal.rows')}
            rows={data.items}
            columns={columns}
            rowKey={(row) => `${row.curb_zone_id} ${row.band} ${row.day_type}`}
            state={search}
            onStateChange={push}
            defaultSort="shape_name"
            server={{
              total: data.total,
              sortKeys: pricingSortKeys,
              loadAll: async (onProgress) => {
                const loadedRows: ProposalRow[] = []
                for (let page = 1; ; page++) {
                  const next = await call(listProposalRows, {
                    params,
                    body: { ...body, page, size: fileBatchSize },
                  })
                  loadedRows.push(...next.items)
                  onProgress(next.total ? loadedRows.length / next.total : 1)
                  if (loadedRows.length >= next.total || !next.items.length) return loadedRows
                }
              },
            }}
            pageSize={pageSize}
            fileName={`curb-price-proposal_${proposal.proposal_id}`}
            {...(canEdit
              ? { rowMenu: (row: ProposalRow) => getRowMenu(t, row, (action) => setDialog({ action, row })) }
              : {})}
          />
        )}
      </Loaded>
      {dialog ? (
        <EditDialog {...dialog} proposal={proposal} region={region} onClose={() => setDialog(null)} />
      ) : null}
    </section>
  )
}

/** Returns the edits that a row permits. */
const getRowMenu = (t: TFunction, row: ProposalRow, onSelect: (action: Action) => void) => ({
  label: t('policies:acts.of', { name: row.shape_name }),
  actions: (
    [
      ['set', IconPencil],
      ['exclude', IconBan],
      ['restore', IconRestore],
    ] as const
  )
    .filter(([action]) => (action === 'restore' ? row.edit !== null : row.current_rate !== null))
    .map(([action, icon]) => ({
      key: action,
      label: t(`curb:pricing.edit.act.${action}`),
      icon,
      onSelect: () => onSelect(action),
    })),
})

/** Returns the columns of a proposal: rates first, then what serves to check them. */
function useProposalColumns(proposal: PriceProposalDetail, currency: string): TableColumn<ProposalRow>[] {
  const { t } = useTranslation()
  const commonColumns = usePricingColumns<ProposalRow>(currency, proposal.parameters)
  return useMemo(
    (): TableColumn<ProposalRow>[] => [
      ...commonColumns.filter(({ key }) => !evidenceColumns.has(key)),
      column(
        'final_rate',
        t('curb:pricing.column.final'),
        (row) => (row.final_rate === null ? null : toMajor(row.final_rate, currency)),
        {
          canSort: false,
          renderCell: (row) => formatRate(row.final_rate ?? row.current_rate, currency),
          isNumber: true,
          width: 110,
        },
      ),
      column(
        'edit',
        t('curb:pricing.column.edit'),
        (row) =>
          row.edit
            ? `${t(`curb:pricing.edit.${row.edit.action}`)}: ${row.edit.reason} (${row.edit.by_email})`
            : null,
        {
          canSort: false,
          renderCell: (row) =>
            row.edit
              ? `${t(`curb:pricing.edit.${row.edit.action}`)}: ${row.edit.reason} (${row.edit.by_email})`
              : '',
        },
      ),
      ...commonColumns
        .filter(({ key }) => evidenceColumns.has(key))
        .map((column) => ({ ...column, isHidden: true })),
    ],
    [commonColumns, t, currency],
  )
}

interface EditDialogProps {
  action: Action
  row: ProposalRow
  proposal: PriceProposalDetail
  region: Region
  onClose: () => void
}

/** Edits a row, with a reason. */
function EditDialog({ action, row, proposal, region, onClose }: EditDialogProps) {
  const { t } = useTranslation()
  const currency = region.currencyCode
  const [rate, setRate] = useState(row.final_rate ?? row.current_rate)
  const [reason, setReason] = useState('')
  const edit = useEndpointMutation(editPriceProposal, proposalQueries)
  const { curb_zone_id, band, day_type } = row
  return (
    <FormDialog
      title={`${t(`curb:pricing.edit.act.${action}`)}: ${row.shape_name}, ${formatKeyName(t, band)}, ${formatKeyName(t, day_type)}`}
      action={t('kit:save')}
      isPending={edit.isPending}
      isDisabled={!reason.trim() || (action === 'set' && rate === null)}
      error={edit.error}
      errorTitle={t('curb:pricing.edit.failed')}
      onSubmit={() =>
        edit.mutate(
          {
            params: { region_id: region.regionId, proposal_id: proposal.proposal_id },
            body: {
              edits: [
                { curb_zone_id, band, day_type, action, reason, ...(action === 'set' ? { rate } : {}) },
              ],
            },
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      {action === 'set' ? (
        <MoneyInput
          label={t('curb:pricing.edit.rate')}
          currency={currency}
          value={rate === null ? null : toMajor(rate, currency)}
          onChange={(amount) => setRate(amount === null ? null : toMinor(amount, currency))}
        />
      ) : null}
      <Textarea
        label={t('curb:pricing.proposal.reason')}
        required
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
