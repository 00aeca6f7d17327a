import { Anchor, Button } from '@mantine/core'
import { IconFileOff, IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listPriceProposals, type PriceProposal } from '#contract/curb-price-proposals.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatMediumDay } from '#web/kit/dates/calendar-text.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useMe } from '#web/shell/me.tsx'
import { getProposalPath } from './new-proposal-dialog.tsx'
import { PricingSettingsDialog } from './pricing-settings-dialog.tsx'
import styles from './pricing.module.css'

/** Rate proposals with their status. */
export function ProposalsList({ region: { regionId, timezone } }: { region: Region }) {
  const { t, i18n } = useTranslation()
  const { can } = useMe()
  const [areSettingsOpen, setAreSettingsOpen] = useState(false)
  const response = useEndpointQuery(listPriceProposals, { params: { region_id: regionId } }, { staleTime: 0 })
  const columns = useMemo(
    (): TableColumn<PriceProposal>[] => [
      column('name', t('curb:pricing.proposal.name'), ({ name }) => name, {
        renderCell: ({ name, proposal_id: id }) => (
          <Anchor component={Link} to={getProposalPath(regionId, id)}>
            {name}
          </Anchor>
        ),
      }),
      column(
        'status',
        t('curb:pricing.proposal.statusLabel'),
        ({ status }) => t(`curb:pricing.status.${status}`),
        {
          renderCell: ({ status }) => (
            <span className={styles['mark']} data-status={status}>
              {t(`curb:pricing.status.${status}`)}
            </span>
          ),
        },
      ),
      column('effective_date', t('curb:pricing.form.effective'), (row) => row.effective_date, {
        renderCell: ({ effective_date: day }) => formatMediumDay(day, i18n.language),
      }),
      column('changes', t('curb:pricing.proposal.changes'), ({ changes }) => changes, {
        renderCell: ({ changes, rows }) => `${formatInteger(changes)} / ${formatInteger(rows)}`,
        isNumber: true,
      }),
      column('edits', t('curb:pricing.proposal.edits'), ({ edits }) => edits, { isNumber: true }),
      column('created_time', t('curb:pricing.proposal.created'), (row) => row.created_time, {
        renderCell: ({ created_time: time, created_by_email: email }) => (
          <>
            {formatDateTime(time, timezone)}
            <span className={styles['sub']}>{email}</span>
          </>
        ),
      }),
    ],
    [t, i18n.language, regionId, timezone],
  )
  return (
    <div className={styles['layout']}>
      {can('approve_curb_prices') ? (
        <div className={styles['buttons']}>
          <Button
            variant="default"
            leftSection={<IconSettings size={18} />}
            onClick={() => setAreSettingsOpen(true)}
          >
            {t('curb:pricing.settings.open')}
          </Button>
        </div>
      ) : null}
      <Loaded
        query={response}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('curb:pricing.proposal.empty')} icon={<IconFileOff />}>
            {t('curb:pricing.proposal.emptyText')}
          </EmptyState>
        }
      >
        {({ items }) => (
          <Table
            label={t('curb:pricing.mode.proposals')}
            rows={items}
            columns={columns}
            rowKey={(row) => row.proposal_id}
            defaultSort="-created_time"
            isWrapped
            fileName={`curb-price-proposals_${regionId}`}
          />
        )}
      </Loaded>
      {areSettingsOpen ? (
        <PricingSettingsDialog regionId={regionId} onClose={() => setAreSettingsOpen(false)} />
      ) : null}
    </div>
  )
}
