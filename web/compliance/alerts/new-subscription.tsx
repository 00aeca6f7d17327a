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
import { listOperators } from '#contract/operators.ts'
import { listPolicies } from '#contract/policies.ts'
import { isMeasured } from '#contract/policy-types/is-measured.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { fieldIssues } from '#web/data/api-error.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { Dropdown } from '#web/kit/dropdown.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { useMe } from '#web/shell/me.tsx'

interface Props {
  regionId: string
  /** The default policy; null if there is none. */
  policyId: string | null
  onClose: () => void
  onAdded: (subscription: AlertSubscription, secret: string | null) => void
}

/** The form of a new subscription: policy, operator and channel. */
export function NewSubscription({ regionId, policyId, onClose, onAdded }: Props) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<{
    policy: string | null
    operator: string | null
    channel: AlertChannel
    cadence: Cadence
    url: string
  }>({ policy: policyId, operator: null, channel: 'email', cadence: 'immediate', url: '' })
  const set = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const policies = (
    useEndpointQuery(listPolicies, { body: { region_id: regionId } }).data?.data ?? []
  ).filter((policy) => policy.published_policy_uuid !== null && isMeasured(policy))
  const operators =
    useEndpointQuery(listOperators, { query: { region_id: regionId, size: 300 } }).data?.items ?? []
  const add = useEndpointMutation(addAlertSubscription, [listAlertSubscriptions])
  const issues = fieldIssues(add.error)
  const { email } = useMe().user
  const { policy, operator, channel, cadence, url } = draft
  const send = () => {
    const target = { constant_policy_uuid: policy, operator }
    const body =
      channel === 'email' ? { ...target, channel, cadence } : { ...target, channel, url: url.trim() }
    add.mutate(
      { params: { region_id: regionId }, body },
      { onSuccess: ({ subscription, secret }) => onAdded(subscription, secret) },
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Stack gap="md">
        <Dropdown
          label={t('compliance:alerts.add.policy')}
          placeholder={t('compliance:alerts.allPolicies')}
          clearable
          options={policies.map((policy) => ({
            value: policy.constant_policy_uuid,
            text: policy.policy_name,
          }))}
          value={policies.length ? policy : null}
          onChange={(chosen) => set({ policy: chosen })}
        />
        <Dropdown
          label={t('compliance:alerts.add.operator')}
          placeholder={t('compliance:alerts.allOperators')}
          clearable
          options={operators.map(({ slug, name }) => ({ value: slug, text: name }))}
          value={operator}
          error={issues.get('operator') ?? null}
          onChange={(chosen) => set({ operator: chosen })}
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
            onChange={(chosen) => set({ channel: chosen as AlertChannel })}
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
              onChange={(chosen) => set({ cadence: chosen as Cadence })}
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
            onChange={(event) => set({ url: event.currentTarget.value })}
          />
        )}
        {add.error && !issues.has('url') && !issues.has('operator') ? (
          <FailedState error={add.error} title={t('compliance:alerts.failed.add')} />
        ) : null}
      </Stack>
      <DialogFoot action={t('compliance:alerts.add.act')} isPending={add.isPending} onCancel={onClose} />
    </form>
  )
}
