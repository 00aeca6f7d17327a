import { Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createPriceProposal, listPriceProposals } from '#contract/curb-price-proposals.ts'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { pagePath } from '#web/shell/pages.ts'

interface Props {
  regionId: string
  parameters: PricingParameters
  onClose: () => void
}

/** Returns the path of the page of a proposal. */
export const getProposalPath = (regionId: string, proposalId: string): string =>
  `${pagePath(regionId, 'pricingEngine')}/${encodeURIComponent(proposalId)}`

/** Stores the current result as a named proposal. */
export function NewProposalDialog({ regionId, parameters, onClose }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const create = useEndpointMutation(createPriceProposal, [listPriceProposals])
  return (
    <FormDialog
      title={t('curb:pricing.proposal.create')}
      action={t('curb:pricing.proposal.store')}
      isPending={create.isPending}
      isDisabled={!name.trim()}
      error={create.error}
      errorTitle={t('curb:pricing.proposal.failed')}
      onSubmit={() =>
        create.mutate(
          { params: { region_id: regionId }, body: { name, parameters } },
          { onSuccess: (proposal) => void navigate({ to: getProposalPath(regionId, proposal.proposal_id) }) },
        )
      }
      onClose={onClose}
    >
      <TextInput
        label={t('curb:pricing.proposal.name')}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Text size="sm">{t('curb:pricing.proposal.createText')}</Text>
    </FormDialog>
  )
}
