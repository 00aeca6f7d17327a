import { Checkbox, MultiSelect, NumberInput, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createApiKey, listApiKeys } from '#contract/api-keys.ts'
import {
  type ApiScope,
  apiScopeNames,
  apiScopes,
  type RateClass,
  rateClassNames,
} from '#contract/api-scopes.ts'
import { listFeeds } from '#contract/feeds.ts'
import { listManagedOperators } from '#contract/managed-operators.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { RegionChoice } from '#web/users/region-choice.tsx'

/** Returns the text key of a scope; keys must not contain dots or colons. */
const getScopeKey = (scope: ApiScope): string => scope.replace(/[.:]/g, '_')

interface Props {
  defaultDays: number
  maxDays: number
  onClose: () => void
  onSecret: (secret: string) => void
}

interface FeedChoiceProps {
  regionId: string
  kind: string
  value: string | null
  error: string | undefined
  onChange: (feedId: string | null) => void
}

/** Chooses the feed of a region that the key pushes to. */
function FeedChoice({ regionId, kind, value, error, onChange }: FeedChoiceProps) {
  const { t } = useTranslation()
  const feeds = useEndpointQuery(listFeeds, { params: { region_id: regionId } })
  return (
    <Select
      label={t('keys:field.feed')}
      description={t('keys:create.feedNote')}
      required
      data={(feeds.data ?? [])
        .filter((feed) => feed.kind === kind)
        .map(({ feedId, name }) => ({ value: feedId, label: name }))}
      value={value}
      error={error ?? feeds.error?.message}
      nothingFoundMessage={t('keys:create.noFeed')}
      onChange={onChange}
    />
  )
}

interface OperatorChoiceProps {
  value: string | null
  error: string | undefined
  onChange: (operator: string | null) => void
}

/** Limits the key to the data of one operator: the last selected. */
function OperatorChoice({ value, error, onChange }: OperatorChoiceProps) {
  const { t } = useTranslation()
  const operators = useEndpointQuery(listManagedOperators, {})
  return (
    <MultiSelect
      label={t('keys:field.operator')}
      placeholder={value ? undefined : t('keys:create.allOperators')}
      data={(operators.data ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
      value={value ? [value] : []}
      error={error ?? operators.error?.message}
      clearable
      clearButtonProps={{ 'aria-label': t('keys:create.clearOperator') }}
      onChange={(selected) => onChange(selected.at(-1) ?? null)}
    />
  )
}

interface ScopeChoiceProps {
  value: ApiScope[]
  error: string | undefined
  onChange: (scopes: ApiScope[]) => void
}

/** Chooses what a program may do with the key. */
function ScopeChoice({ value, error, onChange }: ScopeChoiceProps) {
  const { t } = useTranslation()
  return (
    <Checkbox.Group
      label={t('keys:field.scopes')}
      description={t('keys:create.scopesNote')}
      required
      error={error}
      value={value}
      onChange={(selected) => onChange(apiScopeNames.filter((scope) => selected.includes(scope)))}
    >
      <Stack gap="xs" mt="sm">
        {apiScopeNames.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={t(`keys:scope.${getScopeKey(scope)}`)}
            description={scope}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

/** Creates a key with scopes, regions, an expiry and allowed addresses. */
export function KeyDialog({ defaultDays, maxDays, onClose, onSecret }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<ApiScope[]>([])
  const [regionIds, setRegionIds] = useState<string[] | null>(null)
  const [operator, setOperator] = useState<string | null>(null)
  const [feedId, setFeedId] = useState<string | null>(null)
  const [cidrs, setCidrs] = useState<string[]>([])
  const [rate, setRate] = useState<RateClass>('standard')
  const [days, setDays] = useState<number | string>(defaultDays)
  const create = useEndpointMutation(createApiKey, [listApiKeys])
  const issues = getFieldIssues(create.error)
  const feedKind = scopes.map((scope) => apiScopes[scope].feedKind).find((kind) => kind !== null) ?? null
  const canLimitOperator =
    scopes.length > 0 && scopes.every((scope) => apiScopes[scope].canBeLimitedToOperator)
  const [onlyRegion] = regionIds ?? []
  const save = () =>
    create.mutate(
      {
        body: {
          name: name.trim(),
          scopes,
          region_ids: regionIds,
          operator: canLimitOperator ? operator : null,
          feed_id: feedKind ? feedId : null,
          cidrs,
          rate_class: rate,
          expires_days: typeof days === 'number' ? days : null,
        },
      },
      { onSuccess: ({ secret }) => onSecret(secret) },
    )
  return (
    <FormDialog
      size={640}
      title={t('keys:create.title')}
      onClose={onClose}
      action={t('keys:create.action')}
      isPending={create.isPending}
      isDisabled={name.trim() === '' || scopes.length === 0}
      error={create.error}
      errorTitle={t('keys:create.failed')}
      onSubmit={save}
    >
      <TextInput
        data-autofocus
        label={t('keys:field.name')}
        description={t('keys:create.nameNote')}
        required
        maxLength={120}
        value={name}
        error={issues.get('name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ScopeChoice value={scopes} error={issues.get('scopes')} onChange={setScopes} />
      <RegionChoice value={regionIds} error={issues.get('region_ids')} onChange={setRegionIds} />
      {feedKind && onlyRegion !== undefined && regionIds?.length === 1 ? (
        <FeedChoice
          regionId={onlyRegion}
          kind={feedKind}
          value={feedId}
          error={issues.get('feed_id')}
          onChange={setFeedId}
        />
      ) : null}
      {canLimitOperator ? (
        <OperatorChoice value={operator} error={issues.get('operator')} onChange={setOperator} />
      ) : null}
      <NumberInput
        label={t('keys:field.days')}
        description={t('keys:create.daysNote', { count: maxDays })}
        min={1}
        max={maxDays}
        allowDecimal={false}
        value={days}
        error={issues.get('expires_days')}
        onChange={setDays}
      />
      <TagsInput
        label={t('keys:field.cidrs')}
        description={t('keys:create.cidrsNote')}
        placeholder={cidrs.length ? undefined : t('keys:create.anyAddress')}
        value={cidrs}
        error={issues.get('cidrs')}
        splitChars={[',', ' ']}
        onChange={setCidrs}
      />
      <Select
        label={t('keys:field.rate')}
        data={rateClassNames.map((value) => ({ value, label: t(`keys:rate.${value}`) }))}
        allowDeselect={false}
        value={rate}
        onChange={(selected) =>
          setRate(rateClassNames.find((rateClass) => rateClass === selected) ?? 'standard')
        }
      />
    </FormDialog>
  )
}
