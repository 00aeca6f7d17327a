import { Select, SimpleGrid, TextInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listFeatureFlags } from '#contract/identity.ts'
import {
  changeOrganization,
  getOrganization,
  listOrganizations,
  Organization,
} from '#contract/organizations.ts'
import { MobilityDashboard, type OrganizationSettings } from '#contract/settings.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { AllOrSome } from '#web/kit/all-or-some.tsx'
import { FlagSwitches } from './flag-switches.tsx'
import { FormPart } from '#web/kit/form-part.tsx'
import { UnsavedGuard } from '#web/kit/unsaved-guard.tsx'
import { MapChoice } from './map-choice.tsx'
import {
  listChangedFields,
  toOrganizationPatch,
  toOrganizationDraft,
  type ChangedField,
  type OrganizationDraft,
} from './organization-draft.ts'
import styles from './organization-form.module.css'
import { SaveBar } from './save-bar.tsx'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'

interface Props {
  settings: OrganizationSettings
  issues: ReadonlyMap<string, string>
  onChange: (changes: Partial<OrganizationSettings>) => void
}

/** Whether a second factor is required, and the days of the subscription. */
function SecurityFields({ settings, issues, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Stack gap="md">
      <SettingSwitch
        label={t('regions:flag.mfaRequired.name')}
        description={t('regions:flag.mfaRequired.text')}
        error={issues.get('mfaRequired')}
        checked={settings.mfaRequired}
        onChange={(event) => onChange({ mfaRequired: event.currentTarget.checked })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {(['subscriptionStartDate', 'subscriptionEndDate'] as const).map((key) => (
          <TextInput
            key={key}
            type="date"
            max="9999-12-31"
            label={t(`regions:flag.${key}.name`)}
            description={t(`regions:flag.${key}.text`)}
            error={issues.get(key)}
            value={settings[key] ?? ''}
            onChange={(event) => onChange({ [key]: event.currentTarget.value || null })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

/** Changes the name, type and settings of the user's organization. */
export function OrganizationForm({ organization }: { organization: Organization }) {
  const { t } = useTranslation()
  const saved = toOrganizationDraft(organization)
  const [draft, setDraft] = useState<OrganizationDraft>(saved)
  const [lastSaved, setLastSaved] = useState<readonly ChangedField[]>([])
  const change = useEndpointMutation(changeOrganization, [
    getOrganization,
    listOrganizations,
    listFeatureFlags,
  ])
  const changedFields = listChangedFields(saved, draft)
  const issues = getFieldIssues(change.error)
  const updateDraft = (changes: Partial<OrganizationDraft>) => {
    setLastSaved([])
    setDraft({ ...draft, ...changes })
  }
  const updateSettings = (changes: Partial<OrganizationSettings>) =>
    updateDraft({ settings: { ...draft.settings, ...changes } })
  const save = () =>
    change.mutate(
      { params: { organization_id: organization.id }, body: toOrganizationPatch(changedFields) },
      {
        onSuccess: (updated) => {
          setLastSaved(changedFields)
          setDraft(toOrganizationDraft(updated))
        },
      },
    )
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (changedFields.length) save()
      }}
    >
      <FormPart title={t('regions:part.identity')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <TextInput
            label={t('regions:field.text')}
            required
            maxLength={120}
            error={issues.get('name')}
            value={draft.name}
            onChange={(event) => updateDraft({ name: event.currentTarget.value })}
          />
          <Select
            label={t('regions:field.type')}
            allowDeselect={false}
            error={issues.get('type')}
            data={Organization.shape.type.options.map((value) => ({
              value,
              label: t(`regions:type.${value}`),
            }))}
            value={draft.type}
            onChange={(type) => type && updateDraft({ type })}
          />
        </SimpleGrid>
      </FormPart>
      <FormPart title={t('regions:part.products')}>
        <FlagSwitches group="products" settings={draft.settings} issues={issues} onChange={updateSettings} />
      </FormPart>
      <FormPart title={t('regions:part.mobility')}>
        <FlagSwitches group="mobility" settings={draft.settings} issues={issues} onChange={updateSettings} />
        <AllOrSome
          label={t('regions:flag.mobilityDashboards.name')}
          description={t('regions:flag.mobilityDashboards.text')}
          all={t('regions:dashboards.all')}
          some={t('regions:dashboards.some')}
          none={t('regions:dashboards.none')}
          error={issues.get('mobilityDashboards')}
          options={MobilityDashboard.options.map((value) => ({
            value,
            label: t(`regions:dashboard.${value}`),
          }))}
          value={draft.settings.mobilityDashboards}
          onChange={(mobilityDashboards) => updateSettings({ mobilityDashboards })}
        />
        <MapChoice
          label={t('regions:flag.maps.name')}
          description={t('regions:flag.maps.text')}
          error={issues.get('maps')}
          value={draft.settings.maps}
          onChange={(maps) => updateSettings({ maps })}
        />
      </FormPart>
      <FormPart title={t('regions:part.security')}>
        <SecurityFields settings={draft.settings} issues={issues} onChange={updateSettings} />
      </FormPart>
      <FormPart title={t('regions:part.curb')}>
        <FlagSwitches group="curb" settings={draft.settings} issues={issues} onChange={updateSettings} />
      </FormPart>
      <SaveBar
        changed={changedFields}
        saved={lastSaved}
        error={change.error}
        isPending={change.isPending}
        onUndo={() => {
          change.reset()
          updateDraft(saved)
        }}
      />
      <UnsavedGuard
        hasUnsavedChanges={() => changedFields.length > 0}
        title={t('regions:leave.title')}
        action={t('regions:leave.action')}
        text={t('regions:leave.text')}
      />
    </form>
  )
}
