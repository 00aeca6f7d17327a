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
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { now } from '#web/data/clock.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { faultOfAct, hindrance, type PolicyAct } from './act-fault.ts'
import { takesEffectText } from './status-mark.tsx'
import { PolicyNotice } from './policy-notice.tsx'

const didOf = {
  delete: 'deleted',
  discard: 'discarded',
  publish: 'published',
  unpublish: 'unpublished',
} as const satisfies Record<PolicyAct, string>

interface Props {
  act: PolicyAct
  policy: ListedPolicy
  /** Time zone of the region. */
  zone: string
  onClose: () => void
  onDone?: (() => void) | undefined
}

/**
 * Confirms that a policy is deleted, published or taken out of the feed, or that its draft is discarded;
 * explains why an action is not possible.
 */
export function ConfirmPolicyAct({ act, policy, zone, onClose, onDone }: Props) {
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
  const hindered = hindrance(act, policy)
  if (hindered) return <PolicyNotice notice={hindered} onClose={onClose} />
  if (fault) return <PolicyNotice notice={faultOfAct(act, fault)} error={fault} onClose={onClose} />
  const at = now()
  const effect = act === 'publish' ? takesEffectText(policy, at, zone, at) : null
  const one = { policy_uuid: policy.policy_uuid, if_modified_time: policy.modified_time }
  const hear = {
    onSuccess: () => {
      showToast(t(`kit:did.${didOf[act]}`, { name: policy.policy_name }))
      onClose()
      onDone?.()
    },
    onError: setFault,
  }
  const confirm = (): void => {
    if (act === 'delete') removing.mutate({ body: one }, hear)
    else if (act === 'discard') discarding.mutate({ body: one }, hear)
    else publishing.mutate({ body: { ...one, published: act === 'publish' } }, hear)
  }
  return (
    <ConfirmDialog
      title={t(`policies:ask.${act}.title`)}
      action={t(`policies:acts.${act}`)}
      isDanger={act !== 'publish'}
      isPending={removing.isPending || publishing.isPending || discarding.isPending}
      error={null}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text fw={600} mb="xs">
        {policy.policy_name}
      </Text>
      <Text>{t(`policies:ask.${act}.text`)}</Text>
      {effect === null ? null : (
        <Text mt="sm">
          <strong>{t('policies:takesEffect', { time: effect })}</strong>. {t('policies:ask.notice')}
        </Text>
      )}
    </ConfirmDialog>
  )
}
