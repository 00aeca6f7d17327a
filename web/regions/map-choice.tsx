import { useTranslation } from 'react-i18next'
import type { MapName } from '#contract/regions.ts'
import { AllOrSome } from '#web/kit/all-or-some.tsx'

interface Props {
  label: string
  description: string
  value: readonly MapName[] | null
  error: string | undefined
  onChange: (value: MapName[] | null) => void
}

/** In the order of the shelf. (The contract's own list puts 311 first, as any object of JavaScript does with numbers.) */
export const mapOrder = [
  'live',
  '311',
  'distribution',
  'operator-drop-offs',
  'parking',
  'routes',
  'trips',
  'policy',
] as const satisfies readonly MapName[]

/** Which maps are allowed. */
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
      options={mapOrder.map((name) => ({ value: name, label: t(`regions:map.${name}`) }))}
      value={value}
      onChange={onChange}
    />
  )
}
