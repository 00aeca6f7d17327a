import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { durationText, parkedDurations } from '../parked-durations.ts'

interface Props {
  /** Minutes that the layer offers; none: the usual ones. */
  offered: readonly number[]
  value: number | undefined
  onChange: (value: number | undefined) => void
}

const none = 'none'

export function ParkedDurationField({ offered, value, onChange }: Props) {
  const { t } = useTranslation()
  const lengths = parkedDurations(offered, value)
  return (
    <Select
      label={t('evaluation:parked.label')}
      allowDeselect={false}
      value={value === undefined ? none : String(value)}
      data={[
        { value: none, label: t('evaluation:parked.none') },
        ...lengths.map((minutes) => ({ value: String(minutes), label: durationText(t, minutes) })),
      ]}
      onChange={(chosen) => onChange(lengths.find((minutes) => String(minutes) === chosen))}
    />
  )
}
