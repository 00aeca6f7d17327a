import { useTranslation } from 'react-i18next'
import { AllOrSome } from '#web/kit/all-or-some.tsx'
import { regionName, useRegions } from './use-regions.ts'

interface Props {
  value: string[] | null
  error: string | undefined
  onChange: (value: string[] | null) => void
}

/** Which regions a user sees. */
export function RegionChoice({ value, error, onChange }: Props) {
  const { t } = useTranslation()
  const regions = useRegions()
  const ids = [...new Set([...(regions ?? []).map((region) => region.regionId), ...(value ?? [])])]
  return (
    <AllOrSome
      label={t('users:field.regions')} all={t('users:regions.all')} some={t('users:regions.some')} none={t('users:regions.none')} startsEmpty error={error}
      options={ids.map((id) => ({ value: id, label: regionName(regions, id) }))} value={value} onChange={onChange}
    />
  )
}
