import { useTranslation } from 'react-i18next'
import type { IssuePoints } from '#contract/issues.ts'
import type { AxisPlaying } from '#web/map-page/time/axis-playing.ts'
import { formatInteger } from '#web/kit/format.ts'
import { findPointIndex } from './issue-key.ts'
import styles from './issue-hover.module.css'
import { type IssueSteps, useShownPoints } from './issue-steps.ts'
import { getTypeName } from './issue-text.ts'
import { findAtSamePlace } from './place-marks.ts'

interface Props {
  /** Key of an issue, or of a mark of several: `cluster/12`. */
  id: string
  points: IssuePoints | null
  /** The playback of the map: the card covers the issues of its day. */
  playing: AxisPlaying<IssueSteps> | null
}

/** The card of the issue or mark under the pointer. */
export function IssueHover({ id, points: allPoints, playing }: Props) {
  const { t } = useTranslation()
  const points = useShownPoints(allPoints, playing)
  const [kind, count] = id.split('/')
  if (kind === 'cluster' && count !== undefined)
    return (
      <div className={styles['card']}>
        <span className={styles['name']}>
          {t('issues:total', { count: Number(count), shown: formatInteger(Number(count)) })}
        </span>
        <span className={styles['quiet']}>{t('issues:hover.zoom')}</span>
      </div>
    )
  const index = points ? findPointIndex(points, id) : -1
  if (!points || index < 0) return null
  const countHere = findAtSamePlace(points, index).length
  const type = getTypeName(points.types[points.type[index]!]!)
  return (
    <div className={styles['card']}>
      <span className={styles['name']}>
        {countHere > 1 ? t('issues:hover.here', { count: countHere, shown: formatInteger(countHere) }) : type}
      </span>
      {countHere > 1 ? <span>{t('issues:hover.newest', { type })}</span> : null}
      <span className={styles['quiet']}>
        {t(`issues:status.${points.closed[index] ? 'closed' : 'open'}`)} · {points.id[index]}
      </span>
    </div>
  )
}
