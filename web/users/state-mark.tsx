import { useTranslation } from 'react-i18next'
import styles from './state-mark.module.css'

/** A state in one word, colored beside its word. */
export function StateMark({ state }: { state: 'active' | 'invited' | 'disabled' | 'done' | 'refused' }) {
  const { t } = useTranslation()
  return (
    <span className={styles['mark']} data-state={state}>
      {t(`users:state.${state}`)}
    </span>
  )
}
