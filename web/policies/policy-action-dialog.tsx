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
import { PolicyNoticeDialog } from './policy-notice-dialog.tsx'
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

/** Asks to confirm the deletion, publication or withdrawal of a policy or the loss of a draft, or says why not. */
export function PolicyActionDialog({ action, policy, region, onClose, onDone }: Props) {
  const { t } = useTranslation()
  const [failure, setFailure] = useState<ApiError | null>(null)
  // The page of a deleted policy closes, so the policy is not requested again.
  const remove = useEndpointMutation(deletePolicy, [listPolicies])
  const publish = useEndpointMutation(publishPolicy, [listPolicies, getPolicyByConstant, listPolicyRevisions])
  const discard = useEndpointMutation(discardDraft, [listPolicies, getPolicyByConstant, listPolicyRevisions])
  const obstacle = findObstacle(action, policy)
  if (obstacle) return <PolicyNoticeDialog notice={obstacle} onClose={onClose} />
  if (failure)
    return <PolicyNoticeDialog notice={noticeForFailure(action, failure)} error={failure} onClose={onClose} />
  const currentTime = now()
  const effectiveTime =
    action === 'publish' ? formatEffectiveTime(policy, currentTime, region.timezone, currentTime) : null
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
    onError: setFailure,
  }
  const confirm = (): void => {
    if (action === 'delete') remove.mutate({ body: revision }, callbacks)
    else if (action === 'discard') discard.mutate({ body: revision }, callbacks)
    else publish.mutate({ body: { ...revision, published: action === 'publish' } }, callbacks)
  }
  return (
    <ConfirmDialog
      title={t(`policies:confirm.${action}.title`)}
      action={t(`policies:acts.${action}`)}
      isDanger={action !== 'publish'}
      isPending={remove.isPending || publish.isPending || discard.isPending}
      error={null}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text fw={600} mb="xs">
        {policy.policy_name}
      </Text>
      <Text>{t(`policies:confirm.${action}.text`)}</Text>
      {effectiveTime === null ? null : (
        <Text mt="sm">
          <strong>{t('policies:takesEffect', { time: effectiveTime })}</strong>.{' '}
          {t('policies:confirm.notice')}
        </Text>
      )}
      {rates ? <RateNotice faults={rates.faults} isCharged={rates.isCharged} /> : null}
    </ConfirmDialog>
  )
}
