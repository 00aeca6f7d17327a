import { NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'
import { MapChoice } from './map-choice.tsx'
import type { RegionDraft } from './region-draft.ts'
import { RegionFleet } from './region-fleet.tsx'

interface Props {
  draft: RegionDraft
  issues: ReadonlyMap<string, string>
  onChange: (draft: RegionDraft) => void
}

/** The fields of a region for privacy, logo, data, fleet and maps. */
export function RegionFeatures({ draft, issues, onChange }: Props) {
  const { t } = useTranslation()
  const updateDraft = (changes: Partial<RegionDraft>) => onChange({ ...draft, ...changes })
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label={t('regions:field.privacyMinimum')}
          description={t('regions:privacyNote')}
          required
          hideControls
          allowDecimal={false}
          min={0}
          max={1000}
          error={issues.get('privacyMinimum')}
          value={draft.privacyMinimum}
          onChange={(value) => updateDraft({ privacyMinimum: value })}
        />
        <TextInput
          label={t('regions:field.logoFilename')}
          description={t('regions:logoNote')}
          maxLength={200}
          error={issues.get('logoFilename')}
          value={draft.logoFilename}
          onChange={(event) => updateDraft({ logoFilename: event.currentTarget.value })}
        />
      </SimpleGrid>
      <SettingSwitch
        label={t('regions:field.hasMdsData')}
        description={t('regions:mdsNote')}
        checked={draft.hasMdsData}
        onChange={(event) => updateDraft({ hasMdsData: event.currentTarget.checked })}
      />
      <RegionFleet draft={draft} issues={issues} onChange={onChange} />
      <SettingSwitch
        label={t('regions:field.countsUncertain')}
        description={t('regions:uncertainNote')}
        checked={draft.countsUncertain}
        onChange={(event) => updateDraft({ countsUncertain: event.currentTarget.checked })}
      />
      <SettingSwitch
        label={t('regions:field.hasMonthlyZip')}
        description={t('regions:zipNote')}
        checked={draft.hasMonthlyZip}
        onChange={(event) => updateDraft({ hasMonthlyZip: event.currentTarget.checked })}
      />
      <MapChoice
        label={t('regions:field.allowedMaps')}
        description={t('regions:allowedNote')}
        error={issues.get('allowedMaps')}
        value={draft.allowedMaps}
        onChange={(allowedMaps) => updateDraft({ allowedMaps })}
      />
    </Stack>
  )
}
