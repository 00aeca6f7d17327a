import { Input, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addAlertSubscription,
  type AlertChannel,
  alertChannels,
  type AlertSubscription,
  listAlertSubscriptions,
} from '#contract/compliance-alerts.ts'
import { type Cadence, cadences } from '#contract/incidents.ts'
import { listPolicies } from '#contract/policies.ts'
import { isMeasured } from '#contract/policy-types/is-measured.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { Dropdown } from '#web/kit/dropdown.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { useMe } from '#web/shell/me.tsx'

interface Props {
  regionId: string
  /** The default policy; null if there is none. */
  policyId: string | null
  onClose: () => void
  /** `secret` signs the messages of a webhook; null for e-mail. */
  onAdded: (subscription: AlertSubscription, secret: string | null) => void
}

/** The form of a new subscription: policy, operator and channel. */
export function SubscriptionForm({ regionId, policyId, onClose, onAdded }: Props) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<{
    policy: string | null
    operator: string | null
    channel: AlertChannel
    cadence: Cadence
    url: string
  }>({ policy: policyId, operator: null, channel: 'email', cadence: 'immediate', url: '' })
  const updateDraft = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes })
  const policyList = useEndpointQuery(listPolicies, { body: { region_id: regionId } })
  const policies = (policyList.data?.data ?? []).filter(
    (listed) => listed.published_policy_uuid !== null && isMeasured(listed),
  )
  const operators = useOperators(regionId)
  const addSubscription = useEndpointMutation(addAlertSubscription, [listAlertSubscriptions])
  const issues = getFieldIssues(addSubscription.error)
  const { email } = useMe().user
  const { policy, operator, channel, cadence, url } = draft
  const handleSubmit = () => {
    const subscriptionScope = { constant_policy_uuid: policy, operator }
    const body =
      channel === 'email'
        ? { ...subscriptionScope, channel, cadence }
        : { ...subscriptionScope, channel, url: url.trim() }
    addSubscription.mutate(
      { params: { region_id: regionId }, body },
      { onSuccess: ({ subscription, secret }) => onAdded(subscription, secret) },
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        handleSubmit()
      }}
    >
      <Stack gap="md">
        <Dropdown
          label={t('compliance:alerts.add.policy')}
          placeholder={t('compliance:alerts.allPolicies')}
          clearable
          options={policies.map(({ constant_policy_uuid: value, policy_name: text }) => ({ value, text }))}
          // The dropdown cannot show a policy before the options are loaded.
          value={policies.length ? policy : null}
          onChange={(selected) => updateDraft({ policy: selected })}
        />
        <Dropdown
          label={t('compliance:alerts.add.operator')}
          placeholder={t('compliance:alerts.allOperators')}
          clearable
          options={(operators.data?.items ?? []).map(({ slug, name }) => ({ value: slug, text: name }))}
          value={operator}
          error={issues.get('operator') ?? null}
          onChange={(selected) => updateDraft({ operator: selected })}
        />
        <Input.Wrapper label={t('compliance:alerts.add.channel')} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t('compliance:alerts.add.channel')}
            data={alertChannels.map((value) => ({
              value,
              label: t(`compliance:alerts.add.channels.${value}`),
            }))}
            value={channel}
            onChange={(selected) => updateDraft({ channel: selected as AlertChannel })}
          />
        </Input.Wrapper>
        {channel === 'email' ? (
          <Input.Wrapper
            label={t('compliance:alerts.add.cadence')}
            description={t('compliance:alerts.add.to', { email })}
            labelElement="div"
          >
            <SegmentedControl
              fullWidth
              aria-label={t('compliance:alerts.add.cadence')}
              data={cadences.map((value) => ({ value, label: t(`compliance:alerts.cadence.${value}`) }))}
              value={cadence}
              onChange={(selected) => updateDraft({ cadence: selected as Cadence })}
            />
          </Input.Wrapper>
        ) : (
          <TextInput
            type="url"
            required
            maxLength={1000}
            label={t('compliance:alerts.add.url')}
            description={t('compliance:alerts.add.urlText')}
            placeholder="https://"
            autoComplete="off"
            value={url}
            error={issues.get('url')}
            onChange={(event) => updateDraft({ url: event.currentTarget.value })}
          />
        )}
        {policyList.error ? (
          <FailedState error={policyList.error} onRetry={() => void policyList.refetch()} />
        ) : null}
        {operators.error ? (
          <FailedState error={operators.error} onRetry={() => void operators.refetch()} />
        ) : null}
        {addSubscription.error && !issues.has('url') && !issues.has('operator') ? (
          <FailedState error={addSubscription.error} title={t('compliance:alerts.failed.add')} />
        ) : null}
      </Stack>
      <DialogFoot
        action={t('compliance:alerts.add.act')}
        isPending={addSubscription.isPending}
        onCancel={onClose}
      />
    </form>
  )
}
