import { useTranslation } from 'react-i18next'
import styles from './state-mark.module.css'

/** A state as a colored dot and a word. */
export function StateMark({ state }: { state: 'active' | 'invited' | 'disabled' | 'done' | 'refused' }) {
  const { t } = useTranslation()
  return (
    <span className={styles['mark']} data-state={state}>
      {t(`users:state.${state}`)}
    </span>
  )
}
