import { Input } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ColorRamp } from '#web/charts/color-ramp.tsx'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import { oneOf } from '#web/shell/search-params.ts'
import styles from './color-field.module.css'

export const colorSchemes = ['tide', 'dusk', 'clay'] as const
export type ColorScheme = (typeof colorSchemes)[number]
/** URL parameter of the color scheme. */
export const colorsParam = oneOf(colorSchemes, 'tide')

interface Props {
  scheme: Scheme
  value: ColorScheme
  onChange: (value: ColorScheme) => void
}

export function ColorField({ scheme, value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <div role="radiogroup" aria-label={t('filters:colors.label')}>
      <Input.Label component="div" aria-hidden="true">
        {t('filters:colors.label')}
      </Input.Label>
      <div className={styles['schemes']}>
        {colorSchemes.map((name) => (
          <label key={name} className={styles['scheme']} data-chosen={name === value || undefined}>
            <input
              type="radio"
              name="map-colors"
              className="only-read"
              checked={name === value}
              onChange={() => onChange(name)}
            />
            <ColorRamp colors={dataColors[scheme].sequential[name]} />
            <span className={styles['name']}>{t(`filters:colors.${name}`)}</span>
          </label>
        ))}
      </div>
    </div>
  )
}
