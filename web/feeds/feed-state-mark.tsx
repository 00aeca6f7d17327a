import { useTranslation } from 'react-i18next'
import type { FeedState } from './feed-state.ts'
import styles from './feeds.module.css'

/** How a feed does in one word, coloured beside its word. */
export function FeedStateMark({ state }: { state: FeedState }) {
  const { t } = useTranslation()
  return (
    <span className={styles['mark']} data-state={state}>
      {t(`feeds:state.${state}`)}
    </span>
  )
}
