import { NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { suggestRegionId, type RegionDraft } from './region-draft.ts'

interface Props {
  draft: RegionDraft
  isNew: boolean
  /** Errors of the server by field. */
  issues: ReadonlyMap<string, string>
  onChange: (draft: RegionDraft) => void
}

const timezones = Intl.supportedValuesOf('timeZone')

/** The name, id, time zone, map position, units and currency of a region. */
export function RegionFields({ draft, isNew, issues, onChange }: Props) {
  const { t } = useTranslation()
  const updateDraft = (changes: Partial<RegionDraft>) => onChange({ ...draft, ...changes })
  // The id of a new region follows the name until the user types another one.
  const rename = (text: string) =>
    updateDraft(
      isNew && draft.regionId === suggestRegionId(draft.text)
        ? { text, regionId: suggestRegionId(text) }
        : { text },
    )
  return (
    <Stack gap="sm">
      <TextInput
        data-autofocus
        label={t('regions:field.text')}
        required
        maxLength={120}
        error={issues.get('text')}
        value={draft.text}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <TextInput
        label={t('regions:field.regionId')}
        description={t(isNew ? 'regions:idNote' : 'regions:idFixed')}
        required
        readOnly={!isNew}
        maxLength={40}
        pattern="[a-z0-9][a-z0-9\-]*"
        error={issues.get('regionId')}
        value={draft.regionId}
        onChange={(event) => updateDraft({ regionId: event.currentTarget.value })}
      />
      <Select
        label={t('regions:field.timezone')}
        required
        searchable
        allowDeselect={false}
        data={timezones.includes(draft.timezone) ? timezones : [draft.timezone, ...timezones]}
        limit={100}
        nothingFoundMessage={t('regions:noZone')}
        error={issues.get('timezone')}
        value={draft.timezone}
        onChange={(timezone) => timezone && updateDraft({ timezone })}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NumberInput
          label={t('regions:field.lat')}
          required
          hideControls
          decimalScale={6}
          min={-85}
          max={85}
          error={issues.get('lat')}
          value={draft.lat}
          onChange={(value) => updateDraft({ lat: value })}
        />
        <NumberInput
          label={t('regions:field.lon')}
          required
          hideControls
          decimalScale={6}
          min={-180}
          max={180}
          error={issues.get('lon')}
          value={draft.lon}
          onChange={(value) => updateDraft({ lon: value })}
        />
        <NumberInput
          label={t('regions:field.mapZoom')}
          required
          hideControls
          decimalScale={1}
          min={0}
          max={20}
          error={issues.get('mapZoom')}
          value={draft.mapZoom}
          onChange={(value) => updateDraft({ mapZoom: value })}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('regions:field.units')}
          allowDeselect={false}
          value={draft.isMetric ? 'metric' : 'imperial'}
          data={['metric', 'imperial'].map((value) => ({ value, label: t(`regions:${value}`) }))}
          onChange={(value) => updateDraft({ isMetric: value === 'metric' })}
        />
        <TextInput
          label={t('regions:field.currencyCode')}
          required
          maxLength={3}
          pattern="[A-Za-z]{3}"
          error={issues.get('currencyCode')}
          value={draft.currencyCode}
          onChange={(event) => updateDraft({ currencyCode: event.currentTarget.value.toUpperCase() })}
        />
      </SimpleGrid>
    </Stack>
  )
}
