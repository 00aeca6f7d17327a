import { NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RegionDraft } from './region-draft.ts'

interface Props {
  draft: RegionDraft
  issues: ReadonlyMap<string, string>
  onChange: (draft: RegionDraft) => void
}

/** Times of day that the server accepts: 00:00 to 24:00. */
const clockPattern = '([01][0-9]|2[0-3]):[0-5][0-9]|24:00'

/** The fields of a region about the operators' vehicles and their data. */
export function RegionFleet({ draft, issues, onChange }: Props) {
  const { t } = useTranslation()
  const updateDraft = (changes: Partial<RegionDraft>) => onChange({ ...draft, ...changes })
  const renderHourField = (end: 'from' | 'until') => (
    <TextInput
      label={t(`regions:field.operating.${end}`)}
      description={t(`regions:operatingNote.${end}`)}
      required
      pattern={clockPattern}
      maxLength={5}
      error={issues.get('operatingHours')}
      value={draft.operatingHours[end]}
      onChange={(event) =>
        updateDraft({ operatingHours: { ...draft.operatingHours, [end]: event.currentTarget.value } })
      }
    />
  )
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {renderHourField('from')}
      {renderHourField('until')}
      <NumberInput
        label={t('regions:field.lostAfterHours')}
        description={t('regions:lostNote')}
        required
        hideControls
        allowDecimal={false}
        min={1}
        max={720}
        error={issues.get('lostAfterHours')}
        value={draft.lostAfterHours}
        onChange={(value) => updateDraft({ lostAfterHours: value })}
      />
      <NumberInput
        label={t('regions:field.rawRetentionDays')}
        description={t('regions:rawNote')}
        required
        hideControls
        allowDecimal={false}
        min={0}
        max={3650}
        error={issues.get('rawRetentionDays')}
        value={draft.rawRetentionDays}
        onChange={(value) => updateDraft({ rawRetentionDays: value })}
      />
    </SimpleGrid>
  )
}
