import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OrganizationSettings } from '#contract/settings.ts'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'

interface Props {
  settings: OrganizationSettings
  issues: ReadonlyMap<string, string>
  onChange: (part: Partial<OrganizationSettings>) => void
}

/** Second factor, and the days of the subscription. */
export function SecurityFields({ settings, issues, onChange }: Props) {
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
