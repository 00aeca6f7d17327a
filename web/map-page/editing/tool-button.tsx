import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconKeyboard, IconMagnet } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './editing.module.css'
import type { UndoHistory } from './undo-history.ts'

interface ButtonProps {
  label: string
  /** Why the tool is disabled; null if it is enabled. */
  disabledReason?: string | null
  isOn?: boolean
  keys?: string
  onClick: () => void
  children: ReactNode
}

/** A tool of an editor. It remains focusable while it is disabled, so that the reason can be read. */
export function ToolButton({ label, disabledReason = null, isOn, keys, onClick, children }: ButtonProps) {
  return (
    <Tooltip label={disabledReason ? `${label}: ${disabledReason}` : label}>
      <ActionIcon
        size={36}
        variant={isOn ? 'filled' : 'default'}
        aria-label={label}
        aria-pressed={isOn}
        aria-disabled={disabledReason !== null || undefined}
        aria-keyshortcuts={keys}
        data-disabled={disabledReason !== null || undefined}
        onClick={() => {
          if (disabledReason === null) onClick()
        }}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

/** A group of tools below its name. */
export function ToolGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles['group']} role="group" aria-label={label}>
      <span aria-hidden>{label}</span>
      <div className={styles['tools']}>{children}</div>
    </div>
  )
}

interface EditingProps {
  isSnapping: boolean
  onSnap: (isOn: boolean) => void
  history: UndoHistory<unknown>
  onUndo: () => void
  onRedo: () => void
  onHelp: () => void
}

/** Buttons that every editor on a map has: snapping, undo, redo, help. */
export function EditingButtons({ isSnapping, onSnap, history, onUndo, onRedo, onHelp }: EditingProps) {
  const { t } = useTranslation()
  return (
    <ToolGroup label={t('map:editing.group.edit')}>
      <ToolButton label={t('map:editing.tool.snap')} isOn={isSnapping} onClick={() => onSnap(!isSnapping)}>
        <IconMagnet size={20} />
      </ToolButton>
      <ToolButton
        label={t('map:editing.tool.undo')}
        keys="Control+Z"
        disabledReason={history.past.length > 0 ? null : t('map:editing.tool.nothingToUndo')}
        onClick={onUndo}
      >
        <IconArrowBackUp size={20} />
      </ToolButton>
      <ToolButton
        label={t('map:editing.tool.redo')}
        keys="Control+Shift+Z"
        disabledReason={history.future.length > 0 ? null : t('map:editing.tool.nothingToRedo')}
        onClick={onRedo}
      >
        <IconArrowForwardUp size={20} />
      </ToolButton>
      <ToolButton label={t('map:editing.tool.help')} onClick={onHelp}>
        <IconKeyboard size={20} />
      </ToolButton>
    </ToolGroup>
  )
}
