import { Kbd } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#web/kit/dialog.tsx'
import styles from './editing.module.css'

const keys = [
  ['finish', ['Enter']],
  ['cancel', ['Esc']],
  ['undo', ['Ctrl', 'Z']],
  ['redo', ['Ctrl', 'Shift', 'Z']],
  ['save', ['Ctrl', 'S']],
  ['pan', ['←', '↑', '→', '↓']],
  ['zoom', ['+', '−']],
  ['table', ['T']],
] as const

/** What the keyboard and the pointer do while shapes are edited. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('geography:keys.title')} onClose={onClose}>
      <dl className={styles['keys']}>
        {keys.map(([what, each]) => [
          <dt key={`${what} keys`}>
            {each.map((key) => (
              <Kbd key={key} mr={4}>
                {key}
              </Kbd>
            ))}
          </dt>,
          <dd key={what}>{t(`geography:keys.${what}`)}</dd>,
        ])}
      </dl>
      <p>{t('geography:keys.pointer')}</p>
      <p>{t('geography:keys.corners')}</p>
    </Dialog>
  )
}
