import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  deletePolicy,
  discardDraft,
  getPolicyByConstant,
  type ListedPolicy,
  listPolicies,
  listPolicyRevisions,
  publishPolicy,
} from '#contract/policies.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { now } from '#web/data/clock.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { noticeForFailure, findObstacle, type PolicyAction } from './policy-actions.ts'
import { formatEffectiveTime } from './status-mark.tsx'
import { PolicyNotice } from './policy-notice.tsx'
import { getRateStatus, RateNotice } from './rate-notice.tsx'

const doneTexts = {
  delete: 'deleted',
  discard: 'discarded',
  publish: 'published',
  unpublish: 'unpublished',
} as const satisfies Record<PolicyAction, string>

interface Props {
  action: PolicyAction
  policy: ListedPolicy
  region: Pick<Region, 'timezone' | 'currencyCode'>
  onClose: () => void
  onDone?: (() => void) | undefined
}

/**
 * Confirms that a policy is deleted, published or taken out of the feed, or that its draft is discarded;
 * explains why an action is not possible.
 */
export function ConfirmPolicyAction({ action, policy, region, onClose, onDone }: Props) {
  const { t } = useTranslation()
  const [fault, setFault] = useState<ApiError | null>(null)
  // The page of a deleted policy closes, so the policy is not requested again.
  const removing = useEndpointMutation(deletePolicy, [listPolicies])
  const publishing = useEndpointMutation(publishPolicy, [
    listPolicies,
    getPolicyByConstant,
    listPolicyRevisions,
  ])
  const discarding = useEndpointMutation(discardDraft, [
    listPolicies,
    getPolicyByConstant,
    listPolicyRevisions,
  ])
  const obstacle = findObstacle(action, policy)
  if (obstacle) return <PolicyNotice notice={obstacle} onClose={onClose} />
  if (fault) return <PolicyNotice notice={noticeForFailure(action, fault)} error={fault} onClose={onClose} />
  const at = now()
  const effect = action === 'publish' ? formatEffectiveTime(policy, at, region.timezone, at) : null
  const rates =
    action !== 'publish' || findPolicyType(policy.policy_type)
      ? null
      : getRateStatus(policy, region.currencyCode)
  const revision = { policy_uuid: policy.policy_uuid, if_modified_time: policy.modified_time }
  const callbacks = {
    onSuccess: () => {
      showToast(t(`kit:did.${doneTexts[action]}`, { name: policy.policy_name }))
      onClose()
      onDone?.()
    },
    onError: setFault,
  }
  const confirm = (): void => {
    if (action === 'delete') removing.mutate({ body: revision }, callbacks)
    else if (action === 'discard') discarding.mutate({ body: revision }, callbacks)
    else publishing.mutate({ body: { ...revision, published: action === 'publish' } }, callbacks)
  }
  return (
    <ConfirmDialog
      title={t(`policies:ask.${action}.title`)}
      action={t(`policies:acts.${action}`)}
      isDanger={action !== 'publish'}
      isPending={removing.isPending || publishing.isPending || discarding.isPending}
      error={null}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text fw={600} mb="xs">
        {policy.policy_name}
      </Text>
      <Text>{t(`policies:ask.${action}.text`)}</Text>
      {effect === null ? null : (
        <Text mt="sm">
          <strong>{t('policies:takesEffect', { time: effect })}</strong>. {t('policies:ask.notice')}
        </Text>
      )}
      {rates ? <RateNotice faults={rates.faults} isCharged={rates.isCharged} /> : null}
    </ConfirmDialog>
  )
}
