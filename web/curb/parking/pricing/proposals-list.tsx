import { Anchor, Button } from '@mantine/core'
import { IconFileOff, IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listPriceProposals, type PriceProposal } from '#contract/curb-price-proposals.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useMe } from '#web/shell/me.tsx'
import { proposalAddress } from './new-proposal-dialog.tsx'
import { PricingSettingsDialog } from './pricing-settings-dialog.tsx'
import { dayText } from './pricing-text.ts'
import styles from './pricing.module.css'

/** Proposals of rates with their status. */
export function ProposalsList({ region: { regionId, timezone } }: { region: Region }) {
  const { t, i18n } = useTranslation()
  const { can } = useMe()
  const [isSetting, setSetting] = useState(false)
  const answer = useEndpointQuery(listPriceProposals, { params: { region_id: regionId } }, { staleTime: 0 })
  const columns = useMemo(
    (): TableColumn<PriceProposal>[] => [
      {
        key: 'name',
        title: t('curb:pricing.proposal.name'),
        value: ({ name }) => name,
        renderCell: ({ name, proposal_id: id }) => (
          <Anchor component={Link} to={proposalAddress(regionId, id)}>
            {name}
          </Anchor>
        ),
      },
      {
        key: 'status',
        title: t('curb:pricing.proposal.statusLabel'),
        value: ({ status }) => t(`curb:pricing.status.${status}`),
        renderCell: ({ status }) => (
          <span className={styles['mark']} data-status={status}>
            {t(`curb:pricing.status.${status}`)}
          </span>
        ),
      },
      {
        key: 'effective_date',
        title: t('curb:pricing.form.effective'),
        value: ({ effective_date: day }) => day,
        renderCell: ({ effective_date: day }) => dayText(day, i18n.language),
      },
      {
        key: 'changes',
        title: t('curb:pricing.proposal.changes'),
        value: ({ changes }) => changes,
        renderCell: ({ changes, rows }) => `${formatInteger(changes)} / ${formatInteger(rows)}`,
        isNumber: true,
      },
      {
        key: 'edits',
        title: t('curb:pricing.proposal.edits'),
        value: ({ edits }) => edits,
        isNumber: true,
      },
      {
        key: 'created_time',
        title: t('curb:pricing.proposal.created'),
        value: ({ created_time: time }) => time,
        renderCell: ({ created_time: time, created_by_email: email }) => (
          <>
            {formatDateTime(time, timezone)}
            <span className={styles['sub']}>{email}</span>
          </>
        ),
      },
    ],
    [t, i18n.language, regionId, timezone],
  )
  return (
    <div className={styles['layout']}>
      {can('approve_curb_prices') ? (
        <div className={styles['buttons']}>
          <Button variant="default" leftSection={<IconSettings size={18} />} onClick={() => setSetting(true)}>
            {t('curb:pricing.settings.open')}
          </Button>
        </div>
      ) : null}
      <Loaded
        of={answer}
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
      {isSetting ? <PricingSettingsDialog regionId={regionId} onClose={() => setSetting(false)} /> : null}
    </div>
  )
}
