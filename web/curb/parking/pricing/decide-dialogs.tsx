import { Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  approvePriceProposal,
  getPriceProposal,
  listPriceProposals,
  listProposalRows,
  type PriceProposalDetail,
  withdrawPriceProposal,
} from '#contract/curb-price-proposals.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { ProposalFindings } from './proposal-findings.tsx'

interface Props {
  proposal: PriceProposalDetail
  onClose: () => void
}

/** Queries that show proposals. */
export const proposalQueries = [getPriceProposal, listPriceProposals, listProposalRows]

/** Approves a proposal, with the day on which it takes effect. */
export function ApproveDialog({ proposal, onClose }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [effectiveDay, setEffectiveDay] = useState(proposal.effective_date)
  const [note, setNote] = useState('')
  const approve = useEndpointMutation(approvePriceProposal, proposalQueries)
  return (
    <FormDialog
      title={t('curb:pricing.proposal.approve')}
      action={t('curb:pricing.proposal.approve')}
      isPending={approve.isPending}
      error={approve.error}
      errorTitle={t('curb:pricing.proposal.approveFailed')}
      onSubmit={() =>
        approve.mutate(
          {
            params: { region_id: regionId, proposal_id: proposal.proposal_id },
            body: { version: proposal.version, effective_date: effectiveDay, note: note.trim() || null },
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <ProposalFindings proposal={proposal} />
      <Text size="sm">{t('curb:pricing.proposal.approveText')}</Text>
      <TextInput
        type="date"
        label={t('curb:pricing.form.effective')}
        required
        value={effectiveDay}
        onChange={(event) => setEffectiveDay(event.currentTarget.value)}
      />
      <Textarea
        label={t('curb:pricing.proposal.note')}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** Withdraws a proposal with a reason. */
export function WithdrawDialog({ proposal, onClose }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [reason, setReason] = useState('')
  const withdraw = useEndpointMutation(withdrawPriceProposal, proposalQueries)
  return (
    <FormDialog
      title={t('curb:pricing.proposal.withdraw')}
      action={t('curb:pricing.proposal.withdraw')}
      isPending={withdraw.isPending}
      isDisabled={!reason.trim()}
      error={withdraw.error}
      errorTitle={t('curb:pricing.proposal.withdrawFailed')}
      onSubmit={() =>
        withdraw.mutate(
          { params: { region_id: regionId, proposal_id: proposal.proposal_id }, body: { reason } },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
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
