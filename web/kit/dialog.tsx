import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './dialog.module.css'
import { useFocusReturn } from './focus.ts'

interface Props {
  title: string
  size?: number
  /** Without it, the dialog cannot be dismissed. */
  onClose?: (() => void) | undefined
  children: ReactNode
}

/** A modal dialog. Escape and the close button close it; the focus returns to the previous element. */
export function Dialog({ title, size = 440, onClose, children }: Props) {
  const { t } = useTranslation()
  // The dialog is open while mounted, so Mantine never handles its closing.
  useFocusReturn()
  return (
    <Modal.Root
      opened
      onClose={() => onClose?.()}
      closeOnEscape={onClose !== undefined}
      closeOnClickOutside={onClose !== undefined}
      size={size}
      centered
    >
      <Modal.Overlay />
      <Modal.Content className={styles['content'] ?? ''}>
        {/* Mantine's header element would be a second banner landmark. */}
        <div className={styles['head']}>
          <Modal.Title className={styles['title'] ?? ''}>{title}</Modal.Title>
          {onClose ? <Modal.CloseButton aria-label={t('kit:close')} /> : null}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
