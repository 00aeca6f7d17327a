import { Input } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ColorRamp } from '#web/charts/color-ramp.tsx'
import type { Palettes } from '#web/kit/theme.ts'
import { enumParam } from '#web/shell/search-params.ts'
import styles from './color-field.module.css'

export const colorSchemes = ['tide', 'dusk', 'clay'] as const
export type ColorScheme = (typeof colorSchemes)[number]
/** URL parameter of the color scheme. */
export const colorsParam = enumParam(colorSchemes, 'tide')

interface Props {
  palettes: Palettes
  value: ColorScheme
  onChange: (value: ColorScheme) => void
}

/** The color scheme of a map. */
export function ColorField({ palettes, value, onChange }: Props) {
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
              className="visually-hidden"
              checked={name === value}
              onChange={() => onChange(name)}
            />
            <ColorRamp colors={palettes[name]} />
            <span className={styles['name']}>{t(`filters:colors.${name}`)}</span>
          </label>
        ))}
      </div>
    </div>
  )
}
