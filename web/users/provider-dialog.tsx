import { PasswordInput, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  changeSignInProvider,
  createSignInProvider,
  listSignInProviders,
  type SignInProvider,
} from '#contract/sign-in-providers.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import {
  emptyProvider,
  toProviderBody,
  toProviderDraft,
  normalizeDomain,
  type ProviderDraft,
} from './provider-draft.ts'

interface Props {
  /** The provider to change; null to create one. */
  provider: SignInProvider | null
  onClose: () => void
}

/** Creates or edits a provider of single sign-on. */
export function ProviderDialog({ provider, onClose }: Props) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => (provider ? toProviderDraft(provider) : emptyProvider))
  const create = useEndpointMutation(createSignInProvider, [listSignInProviders])
  const change = useEndpointMutation(changeSignInProvider, [listSignInProviders])
  const error = create.error ?? change.error
  const issues = getFieldIssues(error)
  const updateDraft = (changes: Partial<ProviderDraft>) => setDraft({ ...draft, ...changes })
  const save = () => {
    const body = toProviderBody(draft)
    if (provider) change.mutate({ params: { provider_id: provider.id }, body }, { onSuccess: onClose })
    else create.mutate({ body }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      size={560}
      title={provider ? t('users:provider.change', { name: provider.name }) : t('users:provider.add')}
      onClose={onClose}
      action={t(provider ? 'kit:save' : 'users:provider.create')}
      isPending={create.isPending || change.isPending}
      error={error}
      errorTitle={t('users:failed.provider')}
      onSubmit={save}
    >
      <TextInput
        data-autofocus
        label={t('users:field.name')}
        description={t('users:provider.nameNote')}
        required
        maxLength={120}
        error={issues.get('name')}
        value={draft.name}
        onChange={(event) => updateDraft({ name: event.currentTarget.value })}
      />
      <TextInput
        type="url"
        label={t('users:provider.issuer')}
        description={t('users:provider.issuerNote')}
        required
        maxLength={500}
        error={issues.get('issuer')}
        value={draft.issuer}
        onChange={(event) => updateDraft({ issuer: event.currentTarget.value })}
      />
      <TextInput
        label={t('users:provider.clientId')}
        required
        maxLength={300}
        autoComplete="off"
        error={issues.get('client_id')}
        value={draft.clientId}
        onChange={(event) => updateDraft({ clientId: event.currentTarget.value })}
      />
      <PasswordInput
        label={t('users:provider.secret')}
        description={t(provider?.hasSecret ? 'users:provider.secretKept' : 'users:provider.secretNote')}
        maxLength={500}
        autoComplete="new-password"
        error={issues.get('client_secret')}
        visibilityToggleButtonProps={{ 'aria-label': t('users:provider.show'), tabIndex: 0 }}
        value={draft.clientSecret}
        onChange={(event) => updateDraft({ clientSecret: event.currentTarget.value })}
      />
      <TagsInput
        label={t('users:provider.domains')}
        description={t('users:provider.domainsNote')}
        withAsterisk
        aria-required
        maxTags={50}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
        error={issues.get('email_domains')}
        value={draft.emailDomains}
        onChange={(domains) => updateDraft({ emailDomains: domains.map(normalizeDomain) })}
      />
      <SettingSwitch
        label={t('users:provider.creates')}
        description={t('users:provider.createsNote')}
        checked={draft.createsUsers}
        onChange={(event) => updateDraft({ createsUsers: event.currentTarget.checked })}
      />
      <SettingSwitch
        label={t('users:provider.enabled')}
        description={t('users:provider.enabledNote')}
        checked={draft.enabled}
        onChange={(event) => updateDraft({ enabled: event.currentTarget.checked })}
      />
    </FormDialog>
  )
}
