import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './map-attribution.module.css'
import { parseAttribution } from './parse-attribution.ts'
import type { BasemapProblem } from '../map-scene.ts'

interface Props {
  /** HTML attributions of the sources; empty until they are loaded. */
  texts: readonly string[]
}

/** Attribution of the drawn sources; always visible. */
export function MapAttribution({ texts }: Props) {
  const { t } = useTranslation()
  if (texts.length === 0) return null
  return (
    <p className={styles['line']}>
      <span className="visually-hidden">{t('map:attribution.label')} </span>
      {texts.map((text, index) => (
        <Fragment key={text}>
          {index > 0 ? ' · ' : null}
          {parseAttribution(text).map((part, partIndex) =>
            part.href === null ? (
              part.text
            ) : (
              <a key={partIndex} href={part.href} target="_blank" rel="noreferrer noopener">
                {part.text}
              </a>
            ),
          )}
        </Fragment>
      ))}
    </p>
  )
}

/** States why the fallback basemap is drawn instead of the configured one. */
export function BasemapNotice({ reason, host }: BasemapProblem) {
  const { t } = useTranslation()
  return (
    <p role="status" className={styles['note']}>
      {t(`map:basemap.${reason}`, { host })} {t('map:basemap.instead')}
    </p>
  )
}
