import { useTranslation } from 'react-i18next'
import { mapNames } from '#contract/map-names.ts'
import type { MapName } from '#contract/regions.ts'
import { AllOrSome } from '#web/kit/all-or-some.tsx'
import { pageOfMap, pageTitle } from '#web/shell/pages.ts'

interface Props {
  label: string
  description: string
  value: readonly MapName[] | null
  error: string | undefined
  onChange: (value: MapName[] | null) => void
}

/** Chooses the allowed maps: all, or some of them. */
export function MapChoice({ label, description, value, error, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <AllOrSome
      label={label}
      description={description}
      all={t('regions:maps.all')}
      some={t('regions:maps.some')}
      none={t('regions:maps.none')}
      error={error}
      options={mapNames.map((name) => ({ value: name, label: t(pageTitle(pageOfMap(name))) }))}
      value={value}
      onChange={onChange}
    />
  )
}
