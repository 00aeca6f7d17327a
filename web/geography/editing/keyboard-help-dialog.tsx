import { useTranslation } from 'react-i18next'
import { Dialog } from '#web/kit/dialog.tsx'
import { KeyList } from '#web/kit/key-list.tsx'

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

/** Explains the keyboard and pointer actions of the editor. */
export function KeyboardHelpDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('geography:keys.title')} onClose={onClose}>
      <KeyList keys={keys.map(([what, combination]) => [combination, t(`geography:keys.${what}`)])} />
      <p>{t('geography:keys.pointer')}</p>
      <p>{t('geography:keys.corners')}</p>
    </Dialog>
  )
}
