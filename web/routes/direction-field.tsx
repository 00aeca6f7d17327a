import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ShownDirection, shownDirections } from './routes-search.ts'

interface Props {
  value: ShownDirection
  onChange: (value: ShownDirection) => void
}

/** Both directions of each street, or only what rides towards a point of the compass. */
export function DirectionField({ value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('routes:direction.label')}
      allowDeselect={false}
      value={value}
      data={shownDirections.map((each) => ({ value: each, label: t(`routes:direction.${each}`) }))}
      onChange={(chosen) => onChange(shownDirections.find((each) => each === chosen) ?? 'both')}
    />
  )
}
