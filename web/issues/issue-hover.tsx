import { useTranslation } from 'react-i18next'
import type { IssuePoints } from '#contract/issues.ts'
import type { AxisPlaying } from '#web/map-page/time/axis-playing.ts'
import { formatInteger } from '#web/kit/format.ts'
import { findPoint } from './issue-key.ts'
import styles from './issue-hover.module.css'
import { type IssueSteps, useShownPoints } from './issue-steps.ts'
import { typeText } from './issue-text.ts'
import { samePlace } from './place-marks.ts'

interface Props {
  /** Key of an issue, or of a mark of several: `cluster/12`. */
  id: string
  points: IssuePoints | null
  /** The playback of the map: the card covers the issues of its day. */
  playing: AxisPlaying<IssueSteps> | null
}

/** The card of the issue or mark under the pointer. */
export function IssueHover({ id, points: all, playing }: Props) {
  const { t } = useTranslation()
  const points = useShownPoints(all, playing)
  const [kind, many] = id.split('/')
  if (kind === 'cluster' && many !== undefined)
    return (
      <div className={styles['card']}>
        <span className={styles['name']}>
          {t('issues:total', { count: Number(many), shown: formatInteger(Number(many)) })}
        </span>
        <span className={styles['quiet']}>{t('issues:hover.zoom')}</span>
      </div>
    )
  const at = points ? findPoint(points, id) : -1
  if (!points || at < 0) return null
  const here = samePlace(points, at).length
  return (
    <div className={styles['card']}>
      <span className={styles['name']}>
        {here > 1
          ? t('issues:hover.here', { count: here, shown: formatInteger(here) })
          : typeText(points.types[points.type[at]!]!)}
      </span>
      {here > 1 ? (
        <span>{t('issues:hover.newest', { type: typeText(points.types[points.type[at]!]!) })}</span>
      ) : null}
      <span className={styles['quiet']}>
        {t(`issues:status.${points.closed[at] ? 'closed' : 'open'}`)} · {points.id[at]}
      </span>
    </div>
  )
}
