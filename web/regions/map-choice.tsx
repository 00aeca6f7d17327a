import { useTranslation } from 'react-i18next'
import { MapName } from '#contract/regions.ts'
import { AllOrSome } from '#web/kit/all-or-some.tsx'

interface Props {
  label: string
  description: string
  value: readonly MapName[] | null
  error: string | undefined
  onChange: (value: MapName[] | null) => void
}

/** Which maps are allowed. */
export function MapChoice({ label, description, value, error, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <AllOrSome
      label={label} description={description} all={t('regions:maps.all')} some={t('regions:maps.some')} none={t('regions:maps.none')} error={error}
      options={MapName.options.map((name) => ({ value: name, label: t(`regions:map.${name}`) }))} value={value} onChange={onChange}
    />
  )
}
